import pg from 'pg'

/**
 * A client that a killed server can't turn into a crash: pg emits 'error' on clients that nobody listens to any more
 * (checked out by a transaction, or just closed). The error also rejects the query in flight, where it is dealt with.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', ignore)
  }

  override removeAllListeners(event?: string | symbol): this {
    super.removeAllListeners(event)
    if (event === undefined || event === 'error') this.on('error', ignore)
    return this
  }
}

function ignore(): void {}
