import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hold, openHold } from './hold.ts'

/** What a network does to the bytes that pass. `half-open` takes them and never answers; `reset` breaks what is there and what comes. */
export type Weather =
  | { readonly kind: 'clear' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'half-open' }

/** A TCP proxy between two of our parts. */
export type Link = {
  readonly port: number
  set(weather: Weather): void
  /** Waits for a connection on which these texts are sent, in this order, and keeps back the answer to the last one. */
  hold(texts: readonly string[]): Held
  close(): Promise<void>
}

type Held = Pick<Hold<Line>, 'held' | 'end'>

type Line = { readonly near: Socket; readonly far: Socket; stale: boolean }

/** Listens on loopback and passes everything on to a port of loopback. */
export async function openLink(target: number): Promise<Link> {
  const lines = new Set<Line>()
  const holds = new Set<Hold<Line>>()
  let weather: Weather = { kind: 'clear' }

  const server = createServer((near) => {
    near.on('error', ignore)
    if (weather.kind === 'reset') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1').on('error', ignore)
    const line = { near: near.setNoDelay(), far: far.setNoDelay(), stale: false }
    lines.add(line)
    near.once('close', () => lines.delete(line))
    pass(line, near, far)
    pass(line, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pass(line: Line, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      from.pause()
      forward(line, from, to, chunk).then(
        () => from.resume(),
        () => cut(line),
      )
    })
    from.once('end', () => to.end())
    from.once('close', () => to.destroy())
  }

  async function forward(line: Line, from: Socket, to: Socket, chunk: Buffer): Promise<void> {
    for (const hold of holds) {
      if (from === line.near) hold.sent(line, chunk)
      else if (hold.keeps(line)) return
    }
    if (weather.kind === 'half-open') {
      line.stale = true
      return
    }
    if (weather.kind === 'delay') await sleep(weather.ms)
    if (weather.kind === 'drip') return await drip(to, chunk, weather.bytes, weather.everyMs)
    await write(to, chunk)
  }

  async function drip(to: Socket, chunk: Buffer, bytes: number, everyMs: number): Promise<void> {
    for (let at = 0; at < chunk.length; at += bytes) {
      // The rest goes at once when the weather clears.
      const end = weather.kind === 'drip' ? at + bytes : chunk.length
      await write(to, chunk.subarray(at, end))
      if (end >= chunk.length) return
      await sleep(everyMs)
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      weather = next
      // Bytes were lost on stale lines: a network would break them too.
      for (const line of lines) if (next.kind === 'reset' || line.stale) cut(line)
    },
    hold(texts) {
      const hold = openHold<Line>(texts, cut, () => holds.delete(hold))
      holds.add(hold)
      return hold
    },
    async close() {
      for (const line of lines) cut(line)
      server.close()
      await once(server, 'close')
    },
  }
}

function cut({ near, far }: Line): void {
  // A socket that is being shut down can't be reset: Node would never let go of it.
  if (near.writableEnded) near.destroy()
  else near.resetAndDestroy()
  far.destroy()
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (to.destroyed || to.write(chunk)) return
  await Promise.race([once(to, 'drain'), once(to, 'close')])
}

function ignore(): void {}
