#!/bin/sh
run={work}/runs/$SLURM_ARRAY_TASK_ID
echo "restart ${{SLURM_RESTART_COUNT:-0}}"
if [ -f "$run/run.json" ]; then
    {segue} regress --resume "$run" --jobs 1 --quiet
else
    {segue} regress {media} --shard $SLURM_ARRAY_TASK_ID/{shards} --run "$run" --jobs 1 {options}
fi
code=$?
# A case that failed is a result; the merged report says so.
[ $code -eq 1 ] || exit $code
