"""How verbs speak: tables, JSON, the progress of a run, a server under supervision."""
