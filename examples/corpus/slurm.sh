#!/usr/bin/env bash
# All sites as one Slurm array, of which each task takes its share:
#   make -s names >names && sbatch --array=1-200 slurm.sh
# A task that is run again (requeued, or the whole array) does what is missing: the manifests tell. Any number of tasks will do.
#SBATCH --job-name=corpus --cpus-per-task=1 --mem=2G --requeue
set -uo pipefail
cd "${SLURM_SUBMIT_DIR:-.}" || exit 2
status=0
while read -r site; do
  make -s SITES="$site" </dev/null || status=1
done < <(sed -n "$SLURM_ARRAY_TASK_ID~${SLURM_ARRAY_TASK_COUNT}p" names)
exit $status
