#!/bin/bash
# Workers on Slurm: 32 jobs of 8 cores, which come and go as the cluster lets them. In a clone of agon, after
# `npm ci && npm run build`, with the queue's password in a file that only you can read:
#
#   AGON_QUEUE=rediss://queue.example/0 AGON_QUEUE_PASSWORD_FILE=$HOME/.agon-queue sbatch deploy/slurm.sh
#   scancel --batch --signal=TERM JOB    # the games at hand are finished and sent; without --batch nothing happens
#   scancel JOB                          # the same, but what takes longer than Slurm's KillWait (30 s) is played again
#SBATCH --job-name=agon-worker
#SBATCH --array=1-32
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=1G
#SBATCH --time=12:00:00
#SBATCH --requeue
# Two minutes before the end: the games at hand are finished and sent.
#SBATCH --signal=B:TERM@120
set -euo pipefail
: "${AGON_QUEUE:?set it to redis://HOST/0 or rediss://HOST/0}"
if [ -n "${AGON_QUEUE_PASSWORD_FILE:-}" ]; then
  AGON_QUEUE_PASSWORD=$(cat "$AGON_QUEUE_PASSWORD_FILE")
  export AGON_QUEUE_PASSWORD
fi
# Slurm runs a copy of this file, in the folder where sbatch was called. exec: the signal reaches the worker.
exec node "${AGON_HOME:-.}/dist/cli/main.js" worker --workers "${SLURM_CPUS_PER_TASK:-1}"
