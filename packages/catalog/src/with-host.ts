import type { RequestFile } from './file/app-file.ts'
import type { Frame } from './frame.ts'
import type { Path, Report } from './problems.ts'

/** The frame of a function whose requests go to a further host of the app: `path` is then the whole path there. */
export function withHost(frame: Frame, { host }: RequestFile, at: Path, report: Report): Frame {
  if (host === undefined) return frame
  if (!frame.hosts.has(host)) report([...at, 'host'], `${host} is not one of the app's hosts`)
  return { ...frame, base: { kinds: new Map(), fill: () => ({ origin: `https://${host}`, prefix: '' }) } }
}
