import { firstUuidAt } from '../../uuid.ts'

/**
 * A table that is partitioned by ranges of its UUIDv7 key, so that a range of ids is a span of time. Besides the partitions that are made
 * here it has one named `<table>_default`, and a column `occurred_at`.
 */
export type PartitionedTable = {
  readonly table: string
  readonly key: string
  readonly every: 'day' | 'month'
  /** How many partitions are made ahead of the one that is current. */
  readonly ahead: number
}

export type Partition = { readonly name: string; readonly from: Date; readonly to: Date }

/** The partition that is current at a time, or the n-th after it. Days and months of UTC. */
export function partitionAt({ table, every }: PartitionedTable, at: Date, n = 0): Partition {
  const from = startOf(every, at, n)
  const digits = from.toISOString().replaceAll('-', '')
  return { name: `${table}_${digits.slice(0, every === 'day' ? 8 : 6)}`, from, to: startOf(every, at, n + 1) }
}

/** The partition that has this name; undefined where it is not one that is made here, such as the default one. */
export function partitionNamed(plan: PartitionedTable, name: string): Partition | undefined {
  const [, year, month, day = '01'] = /_(\d{4})(\d{2})(\d{2})?$/.exec(name) ?? []
  if (year === undefined) return undefined
  const partition = partitionAt(plan, new Date(`${year}-${month}-${day}T00:00:00Z`))
  return partition.name === name ? partition : undefined
}

export function bounds({ from, to }: Partition): { first: string; end: string } {
  return { first: firstUuidAt(from), end: firstUuidAt(to) }
}

function startOf(every: 'day' | 'month', at: Date, n: number): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return new Date(every === 'day' ? Date.UTC(year, month, day + n) : Date.UTC(year, month + n, 1))
}
