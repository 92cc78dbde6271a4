import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Agent } from 'node:http'
import { Ajv } from 'ajv'
import axios from 'axios'
import bodyParser from 'body-parser'
import { Queue } from 'bullmq'
import express from 'express'
import pg from 'pg'
import { announce } from './bare-proxies.ts'

export type WrittenFirstOptions = {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** The third party. */
  readonly origin: string
  readonly appKey: string
  readonly secret: string
  readonly users: readonly string[]
  /** The schema of the arguments. */
  readonly parameters: object
}

const TABLES = `
  create schema written_first;
  set search_path = written_first;
  create table application (app_key text primary key, secret text not null);
  create table account (app_key text, user_id text, app text, token text not null, primary key (app_key, user_id, app));
  create table function (name text primary key, app text not null, path text not null);
  create table call_log (id uuid primary key, app_key text not null, user_id text not null, function_name text not null,
    status integer not null, duration_ms integer not null, created_at timestamptz not null default now())`

/**
 * What one writes first for a counted call: Express, three queries for the application, the account and the function, HMAC, ajv, axios, and
 * for each call a row of the log and a job. When the process dies between two of these steps, a call is lost. The URL is the first message.
 */
export async function serveWrittenFirst(options: WrittenFirstOptions): Promise<void> {
  const { databaseUrl, redisUrl, origin, appKey, secret, users, parameters } = options
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, options: '-c search_path=written_first' })
  await pool.query(TABLES)
  await pool.query('insert into application values ($1, $2)', [appKey, secret])
  await pool.query(`insert into function values ('create-note', 'notes', '/notes')`)
  await pool.query(`insert into account select $1, id, 'notes', 'token' from unnest($2::text[]) id`, [appKey, users])
  const { hostname: host, port, password } = new URL(redisUrl)
  const queue = new Queue('written-first', { connection: { host, port: Number(port), password } })
  const client = axios.create({ baseURL: origin, httpAgent: new Agent({ keepAlive: true }) })
  const validate = new Ajv().compile(parameters)

  const app = express()
  app.use(bodyParser.json())
  app.post('/functions/:name/call', async (request, response) => {
    const [key, user, hash = ''] = ['app-key', 'user-id', 'hash'].map((name) => request.get(name))
    const application = (await pool.query('select secret from application where app_key = $1', [key])).rows[0]
    const signed = createHmac('sha256', application.secret).update(String(user)).digest()
    if (!timingSafeEqual(signed, Buffer.from(hash, 'hex'))) return void response.sendStatus(401)
    const called = (await pool.query('select app, path from function where name = $1', [request.params.name])).rows[0]
    if (!validate(request.body)) return void response.status(400).json(validate.errors)
    const statement = 'select token from account where app_key = $1 and user_id = $2 and app = $3'
    const account = (await pool.query(statement, [key, user, called.app])).rows[0]

    const from = performance.now()
    const { status, data } = await client.post(called.path, request.body, { headers: { authorization: `Bearer ${account.token}` } })
    const [id, ms] = [randomUUID(), Math.round(performance.now() - from)]
    const insert = 'insert into call_log (id, app_key, user_id, function_name, status, duration_ms) values ($1, $2, $3, $4, $5, $6)'
    await pool.query(insert, [id, key, user, request.params.name, status, ms])
    await queue.add('task', { id, app_key: key, user_id: user, function_name: request.params.name })
    response.json({ network_code: status, output: data })
  })
  await announce(app)
}
