"""Many machines: agents' events come through Kafka, and each session has its Monitor in one of several instances."""
