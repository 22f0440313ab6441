-- A store of version 4, as its library made it: a simulation with a deployed cluster, an environment whose deployment failed, and one whose
-- deployment waits. History: never edited.
CREATE TABLE record (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  parent BLOB,
  organization BLOB,
  revision INTEGER NOT NULL,
  name_key TEXT UNIQUE,
  secrets TEXT,
  body TEXT NOT NULL
);
CREATE TABLE reference (
  target BLOB NOT NULL,
  source BLOB NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE TABLE machine (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  owner BLOB,
  revision INTEGER NOT NULL,
  state INTEGER NOT NULL,
  origin_state INTEGER NOT NULL,
  action INTEGER NOT NULL,
  freshness INTEGER NOT NULL,
  running INTEGER NOT NULL,
  step_kind INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  stage_order INTEGER NOT NULL,
  active INTEGER NOT NULL,
  request BLOB,
  stage BLOB,
  step BLOB,
  step_started_at INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  last_deployment_at INTEGER NOT NULL,
  configured INTEGER NOT NULL,
  deployed INTEGER NOT NULL,
  detail TEXT
);
CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  family INTEGER NOT NULL,
  from_state INTEGER NOT NULL,
  to_state INTEGER NOT NULL,
  subject BLOB,
  owner BLOB,
  organization BLOB,
  request BLOB,
  revision INTEGER NOT NULL,
  detail TEXT
, author TEXT);
CREATE TABLE family (number INTEGER PRIMARY KEY, word TEXT NOT NULL);
INSERT INTO record VALUES (1, x'019b76daa800700080000000becfe4ae', 1, NULL, x'019b76daa800700080000000becfe4ae', 1, CAST(x'00000000000000000000000000000000000161636d65' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-0000becfe4ae","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","name":"acme","plan":"FREE","organization_plan":{"plan":"FREE","audit_logs_retention_in_days":30}}');
INSERT INTO record VALUES (2, x'019b76daa80070008000100050c75938', 5, x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', 2, CAST(x'019b76daa800700080000000becfe4ae00056d61696e' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-100050c75938","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","organization":{"id":"019b76da-a800-7000-8000-0000becfe4ae"},"name":"main","region":"eu-west-3","cloud_provider":"AWS","min_running_nodes":1,"max_running_nodes":1,"disk_size":20,"kubernetes":"MANAGED","has_access":true,"version":"1.32","is_default":true,"is_demo":false,"production":false,"features":[],"infrastructure_outputs":{"kind":"EKS","cluster_name":"z019b76da","cluster_arn":"arn:aws:eks:eu-west-3:699006080208:cluster/z019b76da","cluster_oidc_issuer":"https://oidc.eks.eu-west-3.amazonaws.com/id/699006080208","vpc_id":"vpc-699006080208","external_secrets_automatic_authentication":null}}');
INSERT INTO record VALUES (3, x'019b76daa8007000800020000a4a41bc', 30, x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa800700080000000becfe4ae001e687562' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-20000a4a41bc","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","name":"hub","kind":"DOCKER_HUB","description":"","url":"https://docker.io","config":{}}');
INSERT INTO record VALUES (4, x'019b76daa8007000800030000fb056e5', 2, x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa800700080000000becfe4ae000273686f70' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-30000fb056e5","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","name":"shop","description":"","organization":{"id":"019b76da-a800-7000-8000-0000becfe4ae"}}');
INSERT INTO record VALUES (5, x'019b76daa8007000800040005b072b8b', 3, x'019b76daa8007000800030000fb056e5', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa8007000800030000fb056e5000370726f64' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-40005b072b8b","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","name":"prod","mode":"DEVELOPMENT","cluster_id":"019b76da-a800-7000-8000-100050c75938","cluster_name":"main","cloud_provider":{"provider":"AWS","cluster":"019b76da-a800-7000-8000-100050c75938"},"organization":{"id":"019b76da-a800-7000-8000-0000becfe4ae"},"project":{"id":"019b76da-a800-7000-8000-30000fb056e5"}}');
INSERT INTO record VALUES (6, x'019b76daa800700080004001cc8a9ca1', 4, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76da-a800-7000-8000-4001cc8a9ca1","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"DATABASE DEFAULT","description":"","deployment_order":0}');
INSERT INTO record VALUES (7, x'019b76daa8007000800040025af082cd', 4, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76da-a800-7000-8000-40025af082cd","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"JOB DEFAULT","description":"","deployment_order":1}');
INSERT INTO record VALUES (8, x'019b76daa8007000800040034bc68d48', 4, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76da-a800-7000-8000-40034bc68d48","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"CONTAINER DEFAULT","description":"","deployment_order":2}');
INSERT INTO record VALUES (9, x'019b76daa800700080004004ab8674a3', 4, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76da-a800-7000-8000-4004ab8674a3","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"APPLICATION DEFAULT","description":"","deployment_order":3}');
INSERT INTO record VALUES (10, x'019b76daa80070008000d000c32aa94d', 11, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa8007000800040005b072b8b000b776562' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-d000c32aa94d","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"web","registry_id":"019b76da-a800-7000-8000-20000a4a41bc","image_name":"shop/web","tag":"1.0","registry":{"id":"019b76da-a800-7000-8000-20000a4a41bc","name":"hub","url":"https://docker.io","kind":"DOCKER_HUB"},"arguments":[],"cpu":500,"memory":512,"gpu":0,"min_running_instances":1,"max_running_instances":1,"healthchecks":{},"auto_preview":false,"auto_deploy":false,"ports":[],"storage":[],"annotations_groups":[],"labels_groups":[],"icon_uri":"app://platform-console/container","service_type":"CONTAINER","maximum_cpu":128000,"maximum_memory":524288,"maximum_gpu":16}');
INSERT INTO record VALUES (11, x'019b76daa80070008000e000b4a9e94c', 11, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa8007000800040005b072b8b000b617069' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-e000b4a9e94c","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"api","registry_id":"019b76da-a800-7000-8000-20000a4a41bc","image_name":"shop/web","tag":"1.0","registry":{"id":"019b76da-a800-7000-8000-20000a4a41bc","name":"hub","url":"https://docker.io","kind":"DOCKER_HUB"},"arguments":[],"cpu":500,"memory":512,"gpu":0,"min_running_instances":1,"max_running_instances":1,"healthchecks":{},"auto_preview":false,"auto_deploy":false,"ports":[],"storage":[],"annotations_groups":[],"labels_groups":[],"icon_uri":"app://platform-console/container","service_type":"CONTAINER","maximum_cpu":128000,"maximum_memory":524288,"maximum_gpu":16}');
INSERT INTO record VALUES (12, x'019b76daa80070008000f000647247f0', 13, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa8007000800040005b072b8b000d6e696768746c79' AS TEXT), NULL, '{"id":"019b76da-a800-7000-8000-f000647247f0","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","environment":{"id":"019b76da-a800-7000-8000-40005b072b8b"},"name":"nightly","cpu":500,"memory":512,"gpu":0,"max_nb_restart":0,"max_duration_seconds":60,"auto_preview":false,"port":null,"source":{"image":{"registry_id":"019b76da-a800-7000-8000-20000a4a41bc","image_name":"shop/j","tag":"1","registry":{"id":"019b76da-a800-7000-8000-20000a4a41bc","name":"hub","url":"https://docker.io","kind":"DOCKER_HUB"}}},"healthchecks":{},"schedule":{"on_start":{"arguments":[]}},"job_type":"LIFECYCLE","auto_deploy":false,"annotations_groups":[],"labels_groups":[],"icon_uri":"app://platform-console/job","service_type":"JOB","maximum_cpu":128000,"maximum_memory":524288,"maximum_gpu":16}');
INSERT INTO record VALUES (13, x'019b76daa800700080017000cf7f7d11', 1000, x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', 3, NULL, NULL, '{"id":"019b76da-a800-7000-8001-7000cf7f7d11","environment_id":"019b76da-a800-7000-8000-40005b072b8b","created_at":"2026-01-01T00:00:00.000Z","action":"DEPLOY","uninstall":false,"origin":"API","triggered_by":"host","execution_id":"019b76da-a800-7000-8001-7000cf7f7d11-1767225600","whole_environment":true,"services":[],"overrides":{},"forced_event":null,"cancel":null,"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:30.000Z","status":"DEPLOYMENT_ERROR","stages":[{"stage_id":"019b76da-a800-7000-8000-40025af082cd","stage_order":1,"services":[{"id":"019b76da-a800-7000-8000-f000647247f0","name":"nightly","service_type":"JOB","status":"DEPLOYED","reason":"","sub_action":"NONE","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:00.000Z","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_sec":0},{"step_name":"EXECUTING","status":"SUCCESS","duration_sec":0}]}}]},{"stage_id":"019b76da-a800-7000-8000-40034bc68d48","stage_order":2,"services":[{"id":"019b76da-a800-7000-8000-d000c32aa94d","name":"web","service_type":"CONTAINER","status":"DEPLOYED","reason":"","sub_action":"NONE","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:00.000Z","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_sec":0}]}},{"id":"019b76da-a800-7000-8000-e000b4a9e94c","name":"api","service_type":"CONTAINER","status":"DEPLOYMENT_ERROR","reason":"OUT_OF_DISK","sub_action":"NONE","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:30.000Z","steps":{"total_duration_sec":30,"total_computing_duration_sec":30,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"ERROR","duration_sec":30}]}}]}]}');
INSERT INTO record VALUES (14, x'019b76db1d3070008002f00079d3ea8e', 3, x'019b76daa8007000800030000fb056e5', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76daa8007000800030000fb056e500036e657874' AS TEXT), NULL, '{"id":"019b76db-1d30-7000-8002-f00079d3ea8e","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","name":"next","mode":"DEVELOPMENT","cluster_id":"019b76da-a800-7000-8000-100050c75938","cluster_name":"main","cloud_provider":{"provider":"AWS","cluster":"019b76da-a800-7000-8000-100050c75938"},"organization":{"id":"019b76da-a800-7000-8000-0000becfe4ae"},"project":{"id":"019b76da-a800-7000-8000-30000fb056e5"}}');
INSERT INTO record VALUES (15, x'019b76db1d3070008002f00148f0f73e', 4, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76db-1d30-7000-8002-f00148f0f73e","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","environment":{"id":"019b76db-1d30-7000-8002-f00079d3ea8e"},"name":"DATABASE DEFAULT","description":"","deployment_order":0}');
INSERT INTO record VALUES (16, x'019b76db1d3070008002f0025f5d5499', 4, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76db-1d30-7000-8002-f0025f5d5499","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","environment":{"id":"019b76db-1d30-7000-8002-f00079d3ea8e"},"name":"JOB DEFAULT","description":"","deployment_order":1}');
INSERT INTO record VALUES (17, x'019b76db1d3070008002f0034acea353', 4, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76db-1d30-7000-8002-f0034acea353","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","environment":{"id":"019b76db-1d30-7000-8002-f00079d3ea8e"},"name":"CONTAINER DEFAULT","description":"","deployment_order":2}');
INSERT INTO record VALUES (18, x'019b76db1d3070008002f004844513eb', 4, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76db-1d30-7000-8002-f004844513eb","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","environment":{"id":"019b76db-1d30-7000-8002-f00079d3ea8e"},"name":"APPLICATION DEFAULT","description":"","deployment_order":3}');
INSERT INTO record VALUES (19, x'019b76db1d30700080038000773a10a0', 11, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, CAST(x'019b76db1d3070008002f00079d3ea8e000b6c617465' AS TEXT), NULL, '{"id":"019b76db-1d30-7000-8003-8000773a10a0","created_at":"2026-01-01T00:00:30.000Z","updated_at":"2026-01-01T00:00:30.000Z","environment":{"id":"019b76db-1d30-7000-8002-f00079d3ea8e"},"name":"late","registry_id":"019b76da-a800-7000-8000-20000a4a41bc","image_name":"shop/web","tag":"1.0","registry":{"id":"019b76da-a800-7000-8000-20000a4a41bc","name":"hub","url":"https://docker.io","kind":"DOCKER_HUB"},"arguments":[],"cpu":500,"memory":512,"gpu":0,"min_running_instances":1,"max_running_instances":1,"healthchecks":{},"auto_preview":false,"auto_deploy":false,"ports":[],"storage":[],"annotations_groups":[],"labels_groups":[],"icon_uri":"app://platform-console/container","service_type":"CONTAINER","maximum_cpu":128000,"maximum_memory":524288,"maximum_gpu":16}');
INSERT INTO record VALUES (20, x'019b76db1d307000800390002173b40b', 1000, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', 1, NULL, NULL, '{"id":"019b76db-1d30-7000-8003-90002173b40b","environment_id":"019b76db-1d30-7000-8002-f00079d3ea8e","created_at":"2026-01-01T00:00:30.000Z","action":"DEPLOY","uninstall":false,"origin":"API","triggered_by":"host","execution_id":"019b76db-1d30-7000-8003-90002173b40b-1767225630","whole_environment":true,"services":[],"overrides":{},"forced_event":null,"cancel":null,"started_at":null,"ended_at":null,"status":null,"stages":null}');
INSERT INTO reference VALUES (x'019b76daa80070008000100050c75938', x'019b76daa8007000800040005b072b8b');
INSERT INTO reference VALUES (x'019b76daa8007000800020000a4a41bc', x'019b76daa80070008000d000c32aa94d');
INSERT INTO reference VALUES (x'019b76daa8007000800020000a4a41bc', x'019b76daa80070008000e000b4a9e94c');
INSERT INTO reference VALUES (x'019b76daa8007000800020000a4a41bc', x'019b76daa80070008000f000647247f0');
INSERT INTO reference VALUES (x'019b76daa80070008000100050c75938', x'019b76db1d3070008002f00079d3ea8e');
INSERT INTO reference VALUES (x'019b76daa8007000800020000a4a41bc', x'019b76db1d30700080038000773a10a0');
INSERT INTO machine VALUES (1, x'019b76daa80070008000100050c75938', 5, x'019b76daa800700080000000becfe4ae', 4, 7, 1, 1, 3, 0, 0, 0, 1280, 0, 0, x'019b76daa8007000800100004ceffa23', NULL, NULL, 1767225600000, 0, 1767225600000, 1767225600000, 1, 1, '{"execution_id":"019b76da-a800-7000-8001-00004ceffa23-1767225600","triggered_by":"host","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[]},"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:00.000Z"}');
INSERT INTO machine VALUES (2, x'019b76daa8007000800040005b072b8b', 3, x'019b76daa8007000800030000fb056e5', 3, 26, 1, 1, 1, 0, 0, 0, 0, 0, 0, x'019b76daa800700080017000cf7f7d11', NULL, NULL, 0, 0, 1767225630000, 0, 0, 0, NULL);
INSERT INTO machine VALUES (3, x'019b76daa80070008000d000c32aa94d', 11, x'019b76daa8007000800040005b072b8b', 5, 9, 1, 1, 3, 0, 0, 0, 25166208, 2, 0, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040034bc68d48', NULL, 1767225600000, 0, 1767225600000, 1767225600000, 1, 1, '{"execution_id":"019b76da-a800-7000-8001-7000cf7f7d11-1767225600","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_sec":0}]},"phases":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_ms":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_ms":0}],"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:00.000Z"}');
INSERT INTO machine VALUES (4, x'019b76daa80070008000e000b4a9e94c', 11, x'019b76daa8007000800040005b072b8b', 6, 26, 1, 1, 1, 0, 0, 1, 25166208, 2, 0, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040034bc68d48', NULL, 1767225600000, 0, 1767225630000, 0, 1, 0, '{"execution_id":"019b76da-a800-7000-8001-7000cf7f7d11-1767225600","reason":"OUT_OF_DISK","steps":{"total_duration_sec":30,"total_computing_duration_sec":30,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"ERROR","duration_sec":30}]},"phases":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_ms":0},{"step_name":"DEPLOYMENT","status":"ERROR","duration_ms":30000}],"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:30.000Z"}');
INSERT INTO machine VALUES (5, x'019b76daa80070008000f000647247f0', 13, x'019b76daa8007000800040005b072b8b', 4, 9, 1, 1, 3, 0, 0, 0, 155453764, 1, 0, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040025af082cd', NULL, 1767225600000, 0, 1767225600000, 1767225600000, 1, 1, '{"execution_id":"019b76da-a800-7000-8001-7000cf7f7d11-1767225600","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_sec":0},{"step_name":"EXECUTING","status":"SUCCESS","duration_sec":0}]},"phases":[{"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_ms":0},{"step_name":"DEPLOYMENT","status":"SUCCESS","duration_ms":0},{"step_name":"EXECUTING","status":"SUCCESS","duration_ms":0}],"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:00.000Z"}');
INSERT INTO machine VALUES (6, x'019b76daa800700080017000cf7f7d11', 1000, x'019b76daa8007000800040005b072b8b', 3, 4, 0, 1, 0, 0, 0, 0, 0, 1, 0, NULL, NULL, NULL, 0, 0, 1767225630000, 0, 0, 0, NULL);
INSERT INTO machine VALUES (7, x'019b76db1d3070008002f00079d3ea8e', 3, x'019b76daa8007000800030000fb056e5', 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 1767225630000, 0, 0, 0, NULL);
INSERT INTO machine VALUES (8, x'019b76db1d30700080038000773a10a0', 11, x'019b76db1d3070008002f00079d3ea8e', 2, 3, 1, 1, 1, 0, 0, 0, 25166208, 0, 1, x'019b76db1d307000800390002173b40b', x'019b76db1d3070008002f0034acea353', NULL, 0, 0, 1767225630000, 0, 4611686018427387904, 0, '{"execution_id":"019b76db-1d30-7000-8003-90002173b40b-1767225630","steps":{"total_duration_sec":0,"total_computing_duration_sec":0,"details":[]}}');
INSERT INTO machine VALUES (9, x'019b76db1d307000800390002173b40b', 1000, x'019b76db1d3070008002f00079d3ea8e', 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, NULL, NULL, NULL, 0, 0, 1767225630000, 0, 0, 0, NULL);
INSERT INTO event VALUES (1, 1767225600000, 1, 1, 0, 0, x'019b76daa800700080000000becfe4ae', NULL, x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"acme"}', 'host');
INSERT INTO event VALUES (2, 1767225600000, 1, 5, 0, 0, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"main"}', 'host');
INSERT INTO event VALUES (3, 1767225600000, 1, 30, 0, 0, x'019b76daa8007000800020000a4a41bc', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"hub"}', 'host');
INSERT INTO event VALUES (4, 1767225600000, 1, 2, 0, 0, x'019b76daa8007000800030000fb056e5', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"shop"}', 'host');
INSERT INTO event VALUES (5, 1767225600000, 1, 3, 0, 0, x'019b76daa8007000800040005b072b8b', x'019b76daa8007000800030000fb056e5', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"prod"}', 'host');
INSERT INTO event VALUES (6, 1767225600000, 1, 4, 0, 0, x'019b76daa800700080004001cc8a9ca1', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"DATABASE DEFAULT"}', 'host');
INSERT INTO event VALUES (7, 1767225600000, 2, 4, 0, 0, x'019b76daa800700080004001cc8a9ca1', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"DATABASE DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (8, 1767225600000, 1, 4, 0, 0, x'019b76daa8007000800040025af082cd', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"JOB DEFAULT"}', 'host');
INSERT INTO event VALUES (9, 1767225600000, 2, 4, 0, 0, x'019b76daa8007000800040025af082cd', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"JOB DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (10, 1767225600000, 1, 4, 0, 0, x'019b76daa8007000800040034bc68d48', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"CONTAINER DEFAULT"}', 'host');
INSERT INTO event VALUES (11, 1767225600000, 2, 4, 0, 0, x'019b76daa8007000800040034bc68d48', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"CONTAINER DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (12, 1767225600000, 1, 4, 0, 0, x'019b76daa800700080004004ab8674a3', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"APPLICATION DEFAULT"}', 'host');
INSERT INTO event VALUES (13, 1767225600000, 2, 4, 0, 0, x'019b76daa800700080004004ab8674a3', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"APPLICATION DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (14, 1767225600000, 1, 11, 0, 0, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"web"}', 'host');
INSERT INTO event VALUES (15, 1767225600000, 1, 11, 0, 0, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"api"}', 'host');
INSERT INTO event VALUES (16, 1767225600000, 1, 13, 0, 0, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"nightly"}', 'host');
INSERT INTO event VALUES (17, 1767225600000, 4, 5, 1, 3, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, NULL, 'host');
INSERT INTO event VALUES (18, 1767225600000, 8, 5, 0, 11, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, '{"step":"019b76da-a800-7000-8001-100034fe5943","kind":"cluster_create","attempt":1}', NULL);
INSERT INTO event VALUES (19, 1767225600000, 4, 5, 3, 6, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, NULL, NULL);
INSERT INTO event VALUES (20, 1767225600000, 4, 5, 6, 7, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, NULL, 'host');
INSERT INTO event VALUES (21, 1767225600000, 13, 5, 1, 3, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, NULL, NULL);
INSERT INTO event VALUES (22, 1767225600000, 9, 5, 0, 11, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', x'019b76daa8007000800100004ceffa23', 0, '{"step":"019b76da-a800-7000-8001-100034fe5943","kind":"cluster_create","attempt":1,"status":"SUCCESS"}', NULL);
INSERT INTO event VALUES (23, 1767225600000, 2, 5, 0, 0, x'019b76daa80070008000100050c75938', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080000000becfe4ae', NULL, 2, NULL, NULL);
INSERT INTO event VALUES (24, 1767225600000, 5, 1000, 0, 3, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"action":"DEPLOY","triggered_by":"host","origin":"API"}', 'host');
INSERT INTO event VALUES (25, 1767225600000, 4, 11, 1, 3, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, 'host');
INSERT INTO event VALUES (26, 1767225600000, 4, 11, 1, 3, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, 'host');
INSERT INTO event VALUES (27, 1767225600000, 4, 13, 1, 3, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, 'host');
INSERT INTO event VALUES (28, 1767225600000, 6, 1000, 0, 6, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (29, 1767225600000, 4, 13, 3, 4, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (30, 1767225600000, 8, 13, 0, 3, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-b0004bf06715","kind":"execute","attempt":1}', NULL);
INSERT INTO event VALUES (31, 1767225600000, 4, 13, 4, 6, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (32, 1767225600000, 4, 13, 6, 7, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (33, 1767225600000, 4, 13, 7, 9, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (34, 1767225600000, 13, 13, 1, 3, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (35, 1767225600000, 9, 13, 0, 3, x'019b76daa80070008000f000647247f0', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-b0004bf06715","kind":"execute","attempt":1,"status":"SUCCESS"}', NULL);
INSERT INTO event VALUES (36, 1767225600000, 4, 11, 3, 4, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (37, 1767225600000, 8, 11, 0, 2, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-e000f77b4673","kind":"deploy","attempt":1}', NULL);
INSERT INTO event VALUES (38, 1767225600000, 4, 11, 3, 4, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (39, 1767225600000, 8, 11, 0, 2, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-e001e6d2a1d3","kind":"deploy","attempt":1}', NULL);
INSERT INTO event VALUES (40, 1767225600000, 4, 11, 4, 6, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (41, 1767225600000, 4, 11, 6, 9, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (42, 1767225600000, 13, 11, 1, 3, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (43, 1767225600000, 9, 11, 0, 2, x'019b76daa80070008000d000c32aa94d', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-e000f77b4673","kind":"deploy","attempt":1,"status":"SUCCESS"}', NULL);
INSERT INTO event VALUES (44, 1767225600000, 4, 11, 4, 6, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, NULL);
INSERT INTO event VALUES (45, 1767225630000, 4, 11, 6, 26, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"reason":"OUT_OF_DISK"}', NULL);
INSERT INTO event VALUES (46, 1767225630000, 9, 11, 0, 2, x'019b76daa80070008000e000b4a9e94c', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, '{"step":"019b76da-a800-7000-8001-e001e6d2a1d3","kind":"deploy","attempt":1,"status":"ERROR","reason":"OUT_OF_DISK"}', NULL);
INSERT INTO event VALUES (47, 1767225630000, 7, 1000, 0, 26, x'019b76daa800700080017000cf7f7d11', x'019b76daa8007000800040005b072b8b', x'019b76daa800700080000000becfe4ae', x'019b76daa800700080017000cf7f7d11', 0, NULL, 'host');
INSERT INTO event VALUES (48, 1767225630000, 1, 3, 0, 0, x'019b76db1d3070008002f00079d3ea8e', x'019b76daa8007000800030000fb056e5', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"next"}', 'host');
INSERT INTO event VALUES (49, 1767225630000, 1, 4, 0, 0, x'019b76db1d3070008002f00148f0f73e', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"DATABASE DEFAULT"}', 'host');
INSERT INTO event VALUES (50, 1767225630000, 2, 4, 0, 0, x'019b76db1d3070008002f00148f0f73e', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"DATABASE DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (51, 1767225630000, 1, 4, 0, 0, x'019b76db1d3070008002f0025f5d5499', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"JOB DEFAULT"}', 'host');
INSERT INTO event VALUES (52, 1767225630000, 2, 4, 0, 0, x'019b76db1d3070008002f0025f5d5499', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"JOB DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (53, 1767225630000, 1, 4, 0, 0, x'019b76db1d3070008002f0034acea353', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"CONTAINER DEFAULT"}', 'host');
INSERT INTO event VALUES (54, 1767225630000, 2, 4, 0, 0, x'019b76db1d3070008002f0034acea353', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"CONTAINER DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (55, 1767225630000, 1, 4, 0, 0, x'019b76db1d3070008002f004844513eb', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"APPLICATION DEFAULT"}', 'host');
INSERT INTO event VALUES (56, 1767225630000, 2, 4, 0, 0, x'019b76db1d3070008002f004844513eb', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 2, '{"name":"APPLICATION DEFAULT","fields":["deployment_order"]}', 'host');
INSERT INTO event VALUES (57, 1767225630000, 1, 11, 0, 0, x'019b76db1d30700080038000773a10a0', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', NULL, 1, '{"name":"late"}', 'host');
INSERT INTO event VALUES (58, 1767225630000, 5, 1000, 0, 3, x'019b76db1d307000800390002173b40b', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', x'019b76db1d307000800390002173b40b', 0, '{"action":"DEPLOY","triggered_by":"host","origin":"API"}', 'host');
INSERT INTO event VALUES (59, 1767225630000, 4, 11, 1, 3, x'019b76db1d30700080038000773a10a0', x'019b76db1d3070008002f00079d3ea8e', x'019b76daa800700080000000becfe4ae', x'019b76db1d307000800390002173b40b', 0, NULL, 'host');
INSERT INTO family VALUES (1, 'organization');
INSERT INTO family VALUES (2, 'project');
INSERT INTO family VALUES (3, 'environment');
INSERT INTO family VALUES (4, 'deployment_stage');
INSERT INTO family VALUES (5, 'cluster');
INSERT INTO family VALUES (10, 'application');
INSERT INTO family VALUES (11, 'container');
INSERT INTO family VALUES (12, 'database');
INSERT INTO family VALUES (13, 'job');
INSERT INTO family VALUES (14, 'helm');
INSERT INTO family VALUES (15, 'terraform');
INSERT INTO family VALUES (16, 'argocd_app');
INSERT INTO family VALUES (20, 'aws_credentials');
INSERT INTO family VALUES (21, 'azure_credentials');
INSERT INTO family VALUES (22, 'gcp_credentials');
INSERT INTO family VALUES (23, 'scaleway_credentials');
INSERT INTO family VALUES (24, 'on_premise_credentials');
INSERT INTO family VALUES (30, 'container_registry');
INSERT INTO family VALUES (31, 'helm_repository');
INSERT INTO family VALUES (32, 'git_token');
INSERT INTO family VALUES (33, 'labels_group');
INSERT INTO family VALUES (34, 'annotations_group');
INSERT INTO family VALUES (40, 'member');
INSERT INTO family VALUES (41, 'invitation');
INSERT INTO family VALUES (42, 'custom_role');
INSERT INTO family VALUES (43, 'api_token');
INSERT INTO family VALUES (44, 'policy_api_token');
INSERT INTO family VALUES (45, 'webhook');
CREATE INDEX record_parent ON record (parent, family, id);
CREATE INDEX reference_source ON reference (source);
CREATE INDEX machine_owner ON machine (owner, id);
CREATE INDEX machine_active ON machine (id) WHERE active = 1;
CREATE VIEW resource AS SELECT nullif(lower(hex(substr(r.id, 1, 4)) || '-' || hex(substr(r.id, 5, 2)) || '-' || hex(substr(r.id, 7, 2)) || '-' || hex(substr(r.id, 9, 2)) || '-' || hex(substr(r.id, 11))), '----') AS id, coalesce(f.word, r.family) AS family, nullif(lower(hex(substr(r.parent, 1, 4)) || '-' || hex(substr(r.parent, 5, 2)) || '-' || hex(substr(r.parent, 7, 2)) || '-' || hex(substr(r.parent, 9, 2)) || '-' || hex(substr(r.parent, 11))), '----') AS parent, nullif(lower(hex(substr(r.organization, 1, 4)) || '-' || hex(substr(r.organization, 5, 2)) || '-' || hex(substr(r.organization, 7, 2)) || '-' || hex(substr(r.organization, 9, 2)) || '-' || hex(substr(r.organization, 11))), '----') AS organization, r.revision AS revision, r.body AS body FROM record AS r LEFT JOIN family AS f ON f.number = r.family;
CREATE INDEX event_authored ON event (organization, sequence) WHERE author IS NOT NULL;
CREATE VIEW event_feed AS SELECT e.sequence AS sequence, strftime('%Y-%m-%dT%H:%M:%fZ', e.at / 1000.0, 'unixepoch') AS at, CASE e.kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN 'state_changed' WHEN 5 THEN 'request_queued' WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN 'step_started' WHEN 9 THEN 'step_ended' WHEN 10 THEN 'progress' WHEN 11 THEN 'log_line' WHEN 12 THEN 'running_changed' WHEN 13 THEN 'freshness_changed' ELSE e.kind END AS kind, coalesce(f.word, e.family) AS family, e.from_state AS from_state, e.to_state AS to_state, nullif(lower(hex(substr(e.subject, 1, 4)) || '-' || hex(substr(e.subject, 5, 2)) || '-' || hex(substr(e.subject, 7, 2)) || '-' || hex(substr(e.subject, 9, 2)) || '-' || hex(substr(e.subject, 11))), '----') AS subject, nullif(lower(hex(substr(e.owner, 1, 4)) || '-' || hex(substr(e.owner, 5, 2)) || '-' || hex(substr(e.owner, 7, 2)) || '-' || hex(substr(e.owner, 9, 2)) || '-' || hex(substr(e.owner, 11))), '----') AS owner, nullif(lower(hex(substr(e.organization, 1, 4)) || '-' || hex(substr(e.organization, 5, 2)) || '-' || hex(substr(e.organization, 7, 2)) || '-' || hex(substr(e.organization, 9, 2)) || '-' || hex(substr(e.organization, 11))), '----') AS organization, nullif(lower(hex(substr(e.request, 1, 4)) || '-' || hex(substr(e.request, 5, 2)) || '-' || hex(substr(e.request, 7, 2)) || '-' || hex(substr(e.request, 9, 2)) || '-' || hex(substr(e.request, 11))), '----') AS request, e.revision AS revision, e.author AS author, e.detail AS detail FROM event AS e LEFT JOIN family AS f ON f.number = e.family;
CREATE INDEX event_request ON event (request) WHERE request IS NOT NULL;
CREATE INDEX event_subject ON event (subject) WHERE subject IS NOT NULL;
PRAGMA application_id = 1332898928;
PRAGMA user_version = 4;
PRAGMA journal_mode = WAL;
