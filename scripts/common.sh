# What the scripts share: where the project lies, how they speak, and how a tree is configured and built. Sourced, never run.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"
# Objects of equal source and flags are equal, wherever they are built: the Python package reuses those of the release build.
export CCACHE_BASEDIR=$project CCACHE_NOHASHDIR=1

step() { printf '\n==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# The comment at the head of a script is its manual.
usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$1"; }

# build_preset NAME [TARGET...]: configures and builds build/NAME.
build_preset() {
  local preset=$1
  shift
  step "Building $preset in build/$preset"
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || {
    cat "build/$preset.configure.log" >&2
    die "cmake could not configure the preset $preset; its messages stand above"
  }
  cmake --build --preset "$preset" ${1:+--target "$@"} || die "the build of the preset $preset failed; the first error above says where"
}

# package_hash [PATH...]: one hash of what the Python package is made of, and of what else is named.
package_hash() {
  find pyproject.toml CMakeLists.txt cmake core bindings stores include python "$@" -type f -not -name '*.pyc' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

# find_pythons [VERSION...]: the interpreters of the versions, or of all from 3.10 on that the machine has, to the array $pythons.
find_pythons() {
  pythons=()
  local version found candidate
  for version in "${@:-3.10 3.11 3.12 3.13 3.14}"; do
    for version in $version; do
      found=''
      for candidate in "$(command -v "python$version" || true)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/"python$version"; do
        if [ -x "$candidate" ] && "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then found=$candidate; fi
      done
      [ -z "$found" ] || pythons+=("$found")
      [ -n "$found" ] || [ $# -eq 0 ] || die "this machine has no python$version with venv and ensurepip"
    done
  done
  [ ${#pythons[@]} -ne 0 ] || die "this machine has no Python from 3.10 on with venv and ensurepip"
}

# install_python: the Python package of this tree into .venv, unless nothing it is made of has changed since the last time. It is linked from the objects
# of the release build; what is published is optimized when linking instead (scripts/wheel).
install_python() {
  local stamp=.venv/package.sha256 now
  now=$(package_hash)
  if [ "$now" = "$(cat "$stamp" 2>/dev/null)" ] && .venv/bin/python -c 'import orlop' 2>/dev/null; then
    step "The Python package is up to date"
    return
  fi
  step "Building the Python package into .venv"
  # Under the name that the release build calls it by: the cache tells compilers apart by name.
  CC=${CC:-cc} CXX=${CXX:-c++} .venv/bin/python -m pip install --quiet --no-build-isolation --no-deps --config-settings=cmake.define.ORLOP_WERROR=ON --config-settings=cmake.define.ORLOP_LTO=OFF . ||
    die "pip could not build the Python package; its messages stand above"
  .venv/bin/python -m pip install --quiet --no-build-isolation --no-deps ./stores/postgresql ||
    die "pip could not build the Python package of the store in PostgreSQL; its messages stand above"
  printf '%s\n' "$now" >"$stamp"
}

# install_browser: Chromium from apt if the machine has none, and what drives it into .venv.
install_browser() {
  if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    step "Installing Chromium from apt"
    command -v apt-get >/dev/null || die "Chromium is needed, and there is no apt to install it"
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core || die "apt could not install chromium"
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement python/requirements-browser.txt ||
    die "pip could not install python/requirements-browser.txt; is the network there?"
}

# install_containers: Podman and the programs of which tests and the demo make images, from apt. Where that fails, what needs them is left out and says so.
install_containers() {
  local packages=(podman runc netavark aardvark-dns iptables busybox-static redis-server) package missing=()
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -ne 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || return 0  # Podman runs here only as root
  step "Installing ${missing[*]} from apt"
  (install_from_apt "${missing[@]}") || step "apt could not install ${missing[*]}: what needs containers is left out"
}

# find_newest COMMAND: the command of the highest version to $newest, such as clang-19 for clang: the highest that apt offers, which is installed if the machine
# does not have it; where apt offers none, the highest of the machine. "": there is none.
find_newest() {
  local versions="^${1//+/\\+}-[0-9]+\$"
  newest=''
  ! command -v apt-cache >/dev/null || newest=$(apt-cache search --names-only "$versions" | cut -d' ' -f1 | sort -V | tail -1) || newest=''
  if [ -z "$newest" ]; then
    newest=$(compgen -c "$1-" | grep -E "$versions" | sort -uV | tail -1) || newest=''
  elif ! command -v "$newest" >/dev/null; then
    step "Installing $newest from apt"
    install_from_apt "$newest"
  fi
}

# find_clang: the name of a clang to $clang, that of $ORLOP_CLANG or the newest one.
find_clang() {
  local newest
  clang=${ORLOP_CLANG:-}
  if [ -z "$clang" ]; then
    find_newest clang
    clang=${newest:-clang}
  fi
  command -v "$clang" >/dev/null && command -v "${clang/clang/clang++}" >/dev/null || die "there is no $clang with its clang++ on this machine"
}

# install_from_apt PACKAGE...
install_from_apt() {
  command -v apt-get >/dev/null || die "$* is needed, and there is no apt to install it"
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" || die "apt could not install $*"
}
