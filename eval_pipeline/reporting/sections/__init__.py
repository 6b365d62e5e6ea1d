"""The sections of the report, each a pure function of the contract's tables."""
