import { Agent, createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import httpProxy from '@fastify/http-proxy'
import axios from 'axios'
import bodyParser from 'body-parser'
import express from 'express'
import fastify from 'fastify'
import { Pool } from 'undici'

export type BareProxyOptions = { readonly kind: 'undici' | 'fastify' | 'express'; readonly origin: string }

/** The baselines for the speed of calls: each sends every request to `origin`, and does nothing else. Its URL is the first message. */
export async function serveBareProxy({ kind, origin }: BareProxyOptions): Promise<void> {
  switch (kind) {
    case 'undici':
      return await announce(undiciProxy(origin))
    case 'express':
      return await announce(expressProxy(origin))
    case 'fastify': {
      const app = fastify()
      await app.register(httpProxy, { upstream: origin })
      process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
    }
  }
}

/** Listens on a free port, and sends the URL to the parent process. */
export async function announce(listener: RequestListener): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function undiciProxy(origin: string): RequestListener {
  const pool = new Pool(origin, { connections: 256, pipelining: 1 })
  return async (request, response) => {
    const { method = 'GET', url: path = '/', headers: sent } = request
    const kept = { 'content-type': sent['content-type'], 'content-length': sent['content-length'] }
    const { statusCode, headers, body } = await pool.request({ method, path, headers: kept, body: request })
    response.writeHead(statusCode, { 'content-type': headers['content-type'], 'content-length': String(headers['content-length']) })
    body.pipe(response)
  }
}

function expressProxy(origin: string) {
  const client = axios.create({ baseURL: origin, httpAgent: new Agent({ keepAlive: true }) })
  const app = express()
  app.use(bodyParser.json())
  app.post('/{*path}', async (request, response) => {
    const { status, data } = await client.post(request.path, request.body)
    response.status(status).json(data)
  })
  return app
}
