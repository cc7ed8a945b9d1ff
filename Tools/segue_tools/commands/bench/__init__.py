"""Benchmarks, whose figures are ratios within one run; `--all` runs every one.

SEGUE names a built program; without it, the release build is made and measured. Each benchmark writes its figures as
JSON to build/bench/NAME.json, or to the file that SEGUE_BENCH_JSON names.
"""
