"""What people read of events: texts, phases, charts and the page of a timeline."""
