import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import type { Fault } from '../fault.ts'

/** What stands before the stores where `--on` puts it there. */
export const fronts: readonly Fault[] = [
  {
    name: 'cluster-failover',
    lacks: (rig) => (rig.cluster === undefined ? 'only with --on cluster' : undefined),
    run: async (rig) => `${await rig.cluster?.failOver(`${QUEUE_PREFIX}:${TASK_QUEUE}:id`)} killed, its replica took over`,
  },
  {
    name: 'pgbouncer-kill',
    lacks: (rig) => (rig.pgbouncer === undefined ? 'only with --on pgbouncer' : undefined),
    async run(rig) {
      await rig.pgbouncer?.restart()
      return 'killed, started again'
    },
  },
]
