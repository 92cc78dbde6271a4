import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../numbers.ts'

/** The condition of a network. `stall` withholds all bytes until it ends; `reset` breaks open connections and refuses new ones. */
export type LinkState =
  | { readonly kind: 'normal' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stall' }

/** A TCP proxy between a process and a server. */
export type Link = {
  readonly port: number
  set(state: LinkState): void
  /** Makes all open connections silent for ever, or one that `chance` picks. New connections work. Returns how many became silent. */
  silence(chance?: Chance): number
  /** Waits for a connection that sends these texts in this order, and makes it silent before the last one or before the response to it. */
  hold(texts: readonly string[], what: 'request' | 'response'): Hold
  close(): Promise<void>
}

type Hold = {
  /** Resolves when the request was sent, or when the server has responded. */
  readonly held: Promise<void>
  /** Stops waiting. Breaks the silent connection, delivers what was withheld, or leaves the connection silent for ever. */
  end(then: 'cut' | 'deliver' | 'silence'): void
}

type Connection = {
  readonly near: Socket
  readonly far: Socket
  /** While set, the connection is silent: neither side gets bytes, nor learns that the other side has closed. */
  silence: Deferred | undefined
}

type Deferred = { readonly over: Promise<void>; end(): void }

type Watcher = {
  /** Reads bytes that go to the server. */
  sent(connection: Connection, chunk: Buffer): void
  /** Called when the server has sent bytes, before they are forwarded. */
  answered(connection: Connection): void
}

/** Listens on a loopback port and forwards to the loopback port `target`. */
export async function openLink(target: number): Promise<Link> {
  const connections = new Set<Connection>()
  const watchers = new Set<Watcher>()
  let state: LinkState = { kind: 'normal' }
  let stall: Deferred | undefined

  const server = createServer((near) => {
    near.on('error', ignore)
    if (state.kind === 'reset') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1').on('error', ignore)
    const connection: Connection = { near: near.setNoDelay(), far: far.setNoDelay(), silence: undefined }
    connections.add(connection)
    for (const side of [near, far]) {
      side.once('close', () => {
        if (near.destroyed && far.destroyed) connections.delete(connection)
      })
    }
    pipe(connection, near, far)
    pipe(connection, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pipe(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      from.pause()
      forward(connection, from, to, chunk).then(
        () => from.resume(),
        () => cut(connection),
      )
    })
    from.once('end', () => void whenAudible(connection).then(() => to.end()))
    from.once('close', () => void whenAudible(connection).then(() => to.destroySoon()))
  }

  async function whenAudible(connection: Connection): Promise<void> {
    for (let silence = connection.silence ?? stall; silence !== undefined; silence = connection.silence ?? stall) await silence.over
  }

  async function forward(connection: Connection, from: Socket, to: Socket, chunk: Buffer): Promise<void> {
    if (from === connection.far) for (const watcher of watchers) watcher.answered(connection)
    if (from === connection.near) for (const watcher of watchers) watcher.sent(connection, chunk)
    await whenAudible(connection)
    if (state.kind === 'delay') await sleep(state.ms)
    if (state.kind === 'drip') return await drip(to, chunk, state.bytes, state.everyMs)
    await write(to, chunk)
  }

  async function drip(to: Socket, chunk: Buffer, bytes: number, everyMs: number): Promise<void> {
    for (let at = 0; at < chunk.length; at += bytes) {
      // When the state clears, the rest is sent at once.
      const end = state.kind === 'drip' ? at + bytes : chunk.length
      await write(to, chunk.subarray(at, end))
      if (end >= chunk.length) return
      await sleep(everyMs)
    }
  }

  function hold(texts: readonly string[], what: 'request' | 'response'): Hold {
    const held = defer()
    const seen = new Map<Connection, number>()
    let caught: Connection | undefined
    const watcher: Watcher = {
      sent(connection, chunk) {
        if (caught !== undefined || !watchers.has(watcher)) return
        let next = seen.get(connection) ?? 0
        while (next < texts.length && chunk.includes(texts[next] ?? '')) next++
        seen.set(connection, next)
        if (next !== texts.length) return
        caught = connection
        if (what === 'request') silenceCaught(connection)
      },
      answered: silenceCaught,
    }
    function silenceCaught(connection: Connection): void {
      if (connection !== caught) return
      connection.silence ??= defer()
      held.end()
    }
    watchers.add(watcher)
    return {
      held: held.over,
      end(then) {
        watchers.delete(watcher)
        const connection = caught
        caught = undefined
        if (connection === undefined || then === 'silence') return
        if (then === 'cut') return cut(connection)
        const { silence } = connection
        connection.silence = undefined
        silence?.end()
      },
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next
      const ended = stall
      stall = next.kind === 'stall' ? defer() : undefined
      ended?.end()
      if (next.kind === 'reset') for (const connection of connections) if (connection.silence === undefined) cut(connection)
    },
    silence(chance) {
      const open = [...connections].filter(({ near, far, silence }) => !near.destroyed && !far.destroyed && silence === undefined)
      const chosen = chance === undefined || open.length === 0 ? open : [chance.pick(open)]
      for (const connection of chosen) connection.silence = defer()
      return chosen.length
    },
    hold,
    async close() {
      for (const connection of connections) cut(connection)
      server.close()
      await once(server, 'close')
    },
  }
}

function defer(): Deferred {
  let end: () => void = ignore
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over, end: () => end() }
}

function cut({ near, far }: Connection): void {
  // Node never releases a socket that is reset during its shutdown.
  if (near.writableEnded) near.destroy()
  else near.resetAndDestroy()
  far.destroy()
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (to.destroyed || to.write(chunk)) return
  await Promise.race([once(to, 'drain'), once(to, 'close')])
}

function ignore(): void {}
