// A test of a rollout in TypeScript: with_simulation.sh npx tsx rollout.ts
type Json = Record<string, any>;

/** Sends a request to the simulation, and answers the body. A refusal is an error. */
async function ask(method: string, path: string, body?: Json): Promise<Json> {
  const headers = { "Content-Type": "application/json" };
  const reply = await fetch(process.env.ORLOP_URL + path, { method, headers, body: body && JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.status === 204 ? {} : ((await reply.json()) as Json);
}

async function main(): Promise<void> {
  await ask("POST", "/-/sim/rules", { kind: "cluster", after: "25m" });
  await ask("POST", "/-/sim/rules", { step: "deploy", name: "stock", after: "40s", fails: "no space left", times: 1 });

  const acme = (await ask("POST", "/organization", { name: "acme", plan: "FREE" })).id;
  const europe = (await ask("POST", `/organization/${acme}/cluster`, { name: "europe", region: "eu-west-3", cloud_provider: "AWS" })).id;
  await ask("POST", `/organization/${acme}/cluster/${europe}/deploy`);
  await ask("POST", "/-/sim/clock", { advance: "25m" });
  console.log(`after 25 minutes the cluster is ${(await ask("GET", `/organization/${acme}/cluster/${europe}/status`)).status}`);

  const shop = (await ask("POST", `/organization/${acme}/project`, { name: "shop" })).id;
  const production = (await ask("POST", `/project/${shop}/environment`, { name: "production", cluster: europe })).id;
  await ask("POST", `/environment/${production}/database`, { name: "stock", type: "POSTGRESQL", version: "16", mode: "CONTAINER" });
  for (const rollout of ["first", "second"]) {
    await ask("POST", `/environment/${production}/deploy`);
    await ask("POST", "/-/sim/clock", { until_idle: true });
    console.log(`the ${rollout} rollout: ${(await ask("GET", `/environment/${production}/status`)).state}`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
