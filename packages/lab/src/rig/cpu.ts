import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** Linux reports the CPU time of processes in ticks of 10 ms. */
const TICK_MS = 10

/** Returns the CPU time of processes and all their children, ended children included, in ms. Reads /proc, so it needs Linux. */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  const children = (await Promise.all(pids.map(childrenOf))).flat()
  const stats = await Promise.all([...pids, ...children].map(statOf))
  if (stats.slice(0, pids.length).some(({ length }) => length < 15)) throw new Error(`a process of ${pids.join(', ')} has ended`)
  // The user and system time of the process, then of its children that have ended.
  return stats.flatMap((fields) => fields.slice(11, 15)).reduce((sum, ticks) => sum + TICK_MS * Number(ticks), 0)
}

/** Returns the ids of the child processes. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(statOf))
  return pids.filter((_pid, i) => Number(stats[i]?.[1]) === parent)
}

/** Returns the fields of /proc/<pid>/stat from the third on: state, parent, … The second, a name in brackets, can contain spaces. */
export async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Reads the memory of a process: `VmRSS` is the current value, `VmHWM` the highest since it was reset. */
export async function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024)
}

/**
 * Keeps up to `wanted` CPUs free for the processes that `work` passes to `prepare`; if there are too few CPUs, these processes share one.
 * All other processes that `work` starts share the rest.
 */
export async function withOwnCpus(wanted: number, work: (prepare: (pid: number) => void, count: number) => Promise<void>): Promise<void> {
  const cpus = await allowedCpus()
  const count = cpus.length > wanted ? wanted : 1
  pin(process.pid, cpus.slice(0, Math.max(1, cpus.length - count)))
  try {
    await work((pid) => pin(pid, cpus.slice(-count)), count)
  } finally {
    pin(process.pid, cpus)
  }
}

/** Returns the CPUs that this process may use. */
async function allowedCpus(): Promise<number[]> {
  const status = await readFile('/proc/self/status', 'utf8')
  const ranges = /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1]?.split(',') ?? []
  return ranges.flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  })
}

/** Lets a process with all its threads, and the processes that it will start, use only these CPUs. */
function pin(pid: number, cpus: readonly number[]): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cpus.join(','), String(pid)])
}
