"""External systems that authenticate the tokens of an OpenID provider; needs the extra `orlop[oidc]`."""

from .externals.oidc import Identity, TokenAuthenticator

__all__ = ["Identity", "TokenAuthenticator"]
