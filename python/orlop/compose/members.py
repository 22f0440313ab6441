"""The types of the members of services, networks, volumes, secrets and configs: one row for each key of the format."""

from __future__ import annotations

from .decoding import (
    Kind,
    anything,
    command,
    count,
    device_count,
    duration,
    flag,
    health_test,
    hosts,
    list_of,
    many_options,
    map_of,
    mode,
    number,
    opt_out,
    optional_flag,
    optional_whole,
    pairs,
    set_duration,
    size,
    ssh_keys,
    struct_of,
    text,
    texts,
    texts_or_numbers,
    ulimit,
    variables,
    whole,
)


def _texts(names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), text)


_FILE = struct_of({**_texts("source target uid gid"), "mode": mode})
_DEVICE_REQUEST: Kind = struct_of(
    {
        "capabilities": list_of(text),
        "driver": text,
        "count": device_count,
        "device_ids": list_of(text),
        "options": pairs,
    }
)
_RATE = struct_of({"path": text, "rate": size})
_BLKIO = struct_of(
    {
        "weight": count,
        "weight_device": list_of(struct_of({"path": text, "weight": count})),
        **dict.fromkeys(
            ("device_read_bps", "device_read_iops", "device_write_bps", "device_write_iops"), list_of(_RATE)
        ),
    }
)
_NETWORK_OF_SERVICE = struct_of(
    {
        "aliases": list_of(text),
        "driver_opts": pairs,
        "gw_priority": whole,
        **_texts("interface_name ipv4_address ipv6_address mac_address"),
        "link_local_ips": list_of(text),
        "priority": whole,
        "use_service_name_alias": optional_flag,
    }
)
_MOUNT = struct_of(
    {
        **_texts("type source target consistency"),
        "read_only": flag,
        "bind": struct_of({**_texts("selinux propagation recursive"), "create_host_path": opt_out}, {}),
        "volume": struct_of({"labels": pairs, "nocopy": flag, "subpath": text}),
        "tmpfs": struct_of({"size": size, "mode": count}),
        "image": struct_of({"subpath": text}),
    }
)
_CONTAINER: dict[str, Kind] = {
    **_texts(
        "cgroup_parent cgroup cpuset domainname hostname image ipc isolation log_driver mac_address network_mode pid "
        "platform pull_policy pull_refresh_after runtime stop_signal user userns_mode uts volume_driver working_dir"
    ),
    **dict.fromkeys(
        "cpu_count cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares oom_score_adj pids_limit".split(), whole
    ),
    **dict.fromkeys(("cpu_percent", "cpus"), number),
    **dict.fromkeys("mem_limit mem_reservation memswap_limit mem_swappiness shm_size".split(), size),
    **dict.fromkeys("oom_kill_disable privileged read_only use_api_socket".split(), flag),
    **dict.fromkeys(
        "cap_add cap_drop device_cgroup_rules dns_opt group_add security_opt volumes_from label_file".split(),
        list_of(text),
    ),
    **dict.fromkeys(("dns", "dns_search", "tmpfs"), texts),
    **dict.fromkeys(("annotations", "sysctls", "labels"), pairs),
    "blkio_config": _BLKIO,
    "command": command,
    "entrypoint": command,
    "configs": list_of(_FILE),
    "secrets": list_of(_FILE),
    "credential_spec": struct_of(_texts("config file registry")),
    "devices": list_of(struct_of(_texts("source target permissions"))),
    "environment": variables,
    "env_file": list_of(struct_of({"path": text, "required": opt_out, "format": text}, {"required": False})),
    "extra_hosts": hosts,
    "gpus": list_of(_DEVICE_REQUEST),
    "init": optional_flag,
    "logging": struct_of({"driver": text, "options": pairs}),
    "log_opt": map_of(text),
    "storage_opt": map_of(text),
    "models": map_of(struct_of(_texts("endpoint_var model_var"))),
    "networks": map_of(_NETWORK_OF_SERVICE),
    "stop_grace_period": duration,
    "ulimits": map_of(ulimit),
    "umask": optional_whole,
    "volumes": list_of(_MOUNT),
}
_NO_COMMANDS = {"command": None, "entrypoint": None}
_HEALTH = struct_of(
    {
        "test": health_test,
        **dict.fromkeys(("timeout", "interval", "start_period", "start_interval"), duration),
        "retries": count,
        "disable": flag,
    }
)
_BUILD = struct_of(
    {
        **_texts("context dockerfile dockerfile_inline provenance sbom isolation network target"),
        "entitlements": list_of(text),
        "args": variables,
        "ssh": ssh_keys,
        **dict.fromkeys(("labels", "additional_contexts"), pairs),
        **dict.fromkeys(("cache_from", "cache_to", "no_cache_filter", "tags", "platforms"), texts),
        **dict.fromkeys(("no_cache", "pull", "privileged"), flag),
        "extra_hosts": hosts,
        "secrets": list_of(_FILE),
        "shm_size": size,
        "ulimits": map_of(ulimit),
    }
)
_WORKLOAD: dict[str, Kind] = {
    "build": _BUILD,
    "depends_on": map_of(
        struct_of({"condition": text, "restart": flag, "required": optional_flag}, {"required": False})
    ),
    "dockerfile": text,
    "expose": texts_or_numbers,
    "healthcheck": _HEALTH,
    "ports": list_of(struct_of({**_texts("name mode host_ip published protocol app_protocol"), "target": whole})),
    "stdin_open": flag,
    "tty": flag,
}
_UPDATE = struct_of(
    {
        "parallelism": count,
        "delay": set_duration,
        "failure_action": text,
        "monitor": set_duration,
        "max_failure_ratio": number,
        "order": text,
    }
)
_RESOURCE = struct_of(
    {
        "cpus": number,
        "memory": size,
        "pids": whole,
        "devices": list_of(_DEVICE_REQUEST),
        "generic_resources": list_of(
            struct_of(
                {"discrete_resource_spec": struct_of({"kind": text, "value": optional_whole}, {"kind": "", "value": 0})}
            )
        ),
    }
)
_DEPLOY = struct_of(
    {
        **_texts("mode endpoint_mode"),
        "replicas": optional_whole,
        "labels": pairs,
        "update_config": _UPDATE,
        "rollback_config": _UPDATE,
        "resources": struct_of({"limits": _RESOURCE, "reservations": _RESOURCE}),
        "restart_policy": struct_of({"condition": text, "delay": duration, "max_attempts": count, "window": duration}),
        "placement": struct_of(
            {
                "constraints": list_of(text),
                "preferences": list_of(struct_of({"spread": text})),
                "max_replicas_per_node": whole,
            }
        ),
    },
    {"resources": {}, "placement": {}},
)
_HOOK = struct_of(
    {"command": command, "user": text, "privileged": flag, "working_dir": text, "environment": variables},
    {"command": None},
)
_WATCH = struct_of(
    {
        **_texts("path action target"),
        "exec": _HOOK,
        "include": list_of(text),
        "ignore": list_of(text),
        "initial_sync": flag,
    },
    {"path": "", "action": "", "exec": {"command": None}},
)
SERVICE: Kind = struct_of(
    {
        **_CONTAINER,
        **_WORKLOAD,
        **_texts("restart container_name net"),
        **dict.fromkeys(("profiles", "external_links", "links"), list_of(text)),
        "attach": optional_flag,
        "deploy": _DEPLOY,
        "develop": struct_of({"watch": list_of(_WATCH)}),
        "extends": struct_of(_texts("file service")),
        "pre_start": list_of(struct_of({**_CONTAINER, "per_replica": flag}, _NO_COMMANDS)),
        "post_start": list_of(_HOOK),
        "pre_stop": list_of(_HOOK),
        "provider": struct_of({"type": text, "options": many_options}),
        "scale": optional_whole,
    },
    _NO_COMMANDS,
)
JOB: Kind = struct_of(
    {
        **_CONTAINER,
        **_WORKLOAD,
        "profiles": list_of(text),
        "triggers": struct_of(
            {
                "manual": optional_flag,
                "schedule": list_of(struct_of(_texts("cron timezone concurrency missed_fires"))),
            }
        ),
    },
    _NO_COMMANDS,
)
_POOL = struct_of({**_texts("subnet gateway ip_range"), "aux_addresses": pairs})
NETWORK: Kind = struct_of(
    {
        **_texts("name driver"),
        "driver_opts": pairs,
        "ipam": struct_of({"driver": text, "config": list_of(_POOL), "options": pairs}),
        **dict.fromkeys(("external", "internal", "attachable"), flag),
        "labels": pairs,
        **dict.fromkeys(("enable_ipv4", "enable_ipv6"), optional_flag),
    },
    {"ipam": {}},
)
VOLUME: Kind = struct_of({**_texts("name driver"), "driver_opts": pairs, "external": flag, "labels": pairs})
FILE_OBJECT: Kind = struct_of(
    {
        **_texts("name file environment content driver template_driver"),
        "external": flag,
        "labels": pairs,
        "driver_opts": map_of(text),
    }
)
MODEL: Kind = anything
