import { readdir, readFile } from 'node:fs/promises'

/** The processes that this one started, by /proc; none where there is no /proc. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(parentOf))
  return pids.filter((_pid, i) => parents[i] === parent)
}

/** Whether a process has ended and nobody has asked how; false where there is no /proc. */
export async function isZombie(pid: number): Promise<boolean> {
  return (await statOf(pid))[0] === 'Z'
}

async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1])
}

/** The fields of stat from the third on: state, parent and more (see proc(5)). The second, a name in brackets, can hold anything. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
