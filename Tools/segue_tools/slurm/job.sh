#!/bin/sh
run={work}/runs/$SLURM_ARRAY_TASK_ID
echo "restart ${{SLURM_RESTART_COUNT:-0}}"
if [ -f "$run/run.json" ]; then
    {segue} regress --resume "$run" --jobs 1 --quiet
else
    {segue} regress {media} --shard $SLURM_ARRAY_TASK_ID/{shards} --run "$run" --jobs 1 {options}
fi
code=$?
# A failed case is a result, which the merged report contains.
[ $code -eq 1 ] || exit $code
