"""Labels told apart: label against label, and a score against an event.

`formula_classes` counts cells (`class_report`), `formula_ranks` needs no threshold
(`discrimination`: AUROC with DeLong's error, AUPRC). `measure` says what a failed sample is.
"""
