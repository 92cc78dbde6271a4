import { Socket } from 'node:net'
import pg from 'pg'

/** Node sends a probe after this time, then one each second, and closes the connection when ten of them got no response. */
const KEEP_ALIVE_MS = 5_000

/**
 * A client that closes its connection when a query gets no response. pg would keep the connection: the next query would wait behind the
 * unanswered one, and could run inside its transaction.
 *
 * It always has a listener for 'error': without one, an error event ends the process. pg leaves two kinds of clients without a listener:
 * clients that a transaction has checked out, and clients that were just closed. The query in flight rejects with the same error.
 */
export class SteadyClient extends pg.Client {
  /** When the server last answered, by `performance.now()`. */
  answeredAt = Number.NEGATIVE_INFINITY
  /** When the query was sent that got no response. */
  silentSince: number | undefined
  /** The process id that the server sent when the connection was opened. pg sets it, but does not declare it. */
  declare readonly processID: number | null
  readonly #socket: Socket

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket()
    super({ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...config, stream: () => socket })
    this.#socket = socket
    this.on('error', ignore)
    this.once('connect', () => {
      this.answeredAt = performance.now()
    })
  }

  /** Sends a query, given as text, with or without a callback. */
  // biome-ignore lint/suspicious/noExplicitAny: pg declares eight signatures, which differ only in their types
  override query(...given: unknown[]): any {
    const sentAt = performance.now()
    const callback = given.at(-1)
    if (typeof callback !== 'function') {
      return super.query(...(given as [string])).then(
        (result) => {
          this.#settle(sentAt, undefined)
          return result
        },
        (err: unknown) => {
          this.#settle(sentAt, err)
          throw err
        },
      )
    }
    const settle = (err: unknown, result: unknown) => {
      this.#settle(sentAt, err)
      callback(err, result)
    }
    return super.query(...([...given.slice(0, -1), settle] as unknown as [string]))
  }

  #settle(sentAt: number, err: unknown): void {
    if (err === undefined || err === null || err instanceof pg.DatabaseError) {
      this.answeredAt = performance.now()
      return
    }
    this.silentSince = sentAt
    this.abandon()
  }

  /**
   * Closes the connection at once with a TCP reset, which discards what was not sent yet. Otherwise, the kernel would deliver a statement
   * when the network is back, and the server would execute it minutes after its query was given up.
   */
  abandon(): void {
    if (this.host.startsWith('/')) this.#socket.destroy()
    else this.#socket.resetAndDestroy()
    // Node delays the reset until it has written all data to the kernel. The server never executes an incomplete statement.
    if (this.#socket.writableLength > 0) this.#socket.destroy()
  }

  override removeAllListeners(event?: string | symbol): this {
    super.removeAllListeners(event)
    if (event === undefined || event === 'error') this.on('error', ignore)
    return this
  }
}

function ignore(): void {}
