"""A consumer of events that misses nothing, on a platform that keeps its last ten events."""

import orlop

with orlop.Engine(events_kept=10) as engine:
    since = engine.register_consumer("billing")
    for number in range(20):
        engine.organizations.create(name=f"acme {number}", plan="FREE")
    engine.tick()

    events = engine.events(since, kinds=["organization.created"], timeout=5)
    print(len(events), "organizations to bill")
    engine.acknowledge("billing", engine.last_event)

    engine.forget_events(engine.last_event - 10)
    print(len(engine.events()), "events are left")
    try:
        engine.events(since=1)
    except orlop.EventsForgotten as error:
        print(error.code)
