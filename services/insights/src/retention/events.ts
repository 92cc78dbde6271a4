import type { PartitionedTable } from '@onward/runtime'

/** Task events lie in a partition for each day on which their ids were made. */
export const EVENTS: PartitionedTable = { table: 'task_event', every: 'day' }
