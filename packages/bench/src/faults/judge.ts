import { mostInWords } from './check/watch.ts'
import type { Report } from './run-faults.ts'

/** Says what a run showed; throws when something that must hold does not. */
export function judge(report: Report, say: (line: string) => void): void {
  const { findings, failed, queue } = report
  for (const { what, found, holds } of findings) say(`${holds ? 'ok  ' : 'FAIL'} ${what}: ${found}`)
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  say(
    `${report.ran.length} faults, ${new Set(report.ran).size} kinds; ${report.answered} calls answered in ${seconds(report.loadMs)}, quiet after ${seconds(report.quietMs)}`,
  )
  say(`made anew: ${[...failed].map(([what, n]) => `${n} × ${what}`).join(', ') || 'none'}`)
  say(`queue at most: ${mostInWords(queue)}`)
  const broken = findings.filter(({ holds }) => !holds)
  if (broken.length > 0) throw new Error(`does not hold: ${broken.map(({ what }) => what).join('; ')}`)
}
