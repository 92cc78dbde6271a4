import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The spans of time to look at, in µs of the monotonic clock, and how many calls were made in all of them. */
export type Spans = { readonly spans: readonly (readonly [from: number, to: number])[]; readonly calls: number }

/** Returns the time of the monotonic clock, in µs. All processes and their profiles share this clock. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

/** What Node writes with `--cpu-prof`. Times are in µs. */
type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** `url` is empty for built-in functions. The first line is 0. */
type CallFrame = { readonly functionName: string; readonly url: string; readonly lineNumber: number }

const LINES = 30
const NOT_CODE = ['(idle)', '(root)']

/** Prints in which packages and files a process spent these spans of time. The process must have ended. */
export async function printProfile(
  say: (line: string) => void,
  folder: string,
  pid: number | undefined,
  { spans, calls }: Spans,
): Promise<void> {
  const name = (await readdir(folder)).find((file) => file.includes(`.${pid}.0.`))
  if (name === undefined) throw new Error(`the process ${pid} left no profile in ${folder}`)
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Profile
  const urls = new Set(nodes.map(({ callFrame }) => callFrame.url).filter((url) => url.startsWith('file:')))
  const modules = new Map(await Promise.all([...urls].map(async (url) => [url, await readModules(url)] as const)))
  const places = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      url === '' ? functionName : placeOf(modules.get(url)?.[lineNumber] ?? url),
    ]),
  )
  const selfUs = new Map<string, number>()
  let at = startTime
  for (const [i, id] of samples.entries()) {
    const us = timeDeltas[i] ?? 0
    at += us
    const place = places.get(id) ?? ''
    if (NOT_CODE.includes(place) || !spans.some(([from, to]) => at >= from && at <= to)) continue
    selfUs.set(place, (selfUs.get(place) ?? 0) + us)
  }
  const total = [...selfUs.values()].reduce((sum, us) => sum + us, 0)
  say(`${join(folder, name)}: self time under full load, ${Math.round(total / calls)} µs each`)
  const sorted = [...selfUs].sort(([, a], [, b]) => b - a)
  for (const [place, us] of sorted.slice(0, LINES)) {
    say(`${((100 * us) / total).toFixed(1).padStart(5)} % ${String(Math.round(us / calls)).padStart(5)} µs  ${place}`)
  }
}

/** Returns the path of the module from which each line of a bundle comes. esbuild writes it in a comment before each module. */
async function readModules(url: string): Promise<(string | undefined)[]> {
  let path: string | undefined
  return (await readFile(fileURLToPath(url), 'utf8')).split('\n').map((line) => {
    path = /^\/\/ ((?:node_modules|packages|services)\/.*)$/.exec(line)?.[1] ?? path
    return path
  })
}

/** Returns the package of a file below node_modules, and the path of any other file in the checkout. */
function placeOf(url: string): string {
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return installed ?? /(?:^|\/)((?:packages|services)\/.*)/.exec(url)?.[1] ?? url
}
