import { dirname } from 'node:path'
import { allows, type PartsOptions } from '../options.ts'
import { findProgram } from '../programs.ts'
import { aptRedis } from './apt-redis.ts'
import { type RedisProgram, versionOf } from './program.ts'

/** A Redis or Valkey of this machine, else one from the packages of Debian and its kin; undefined where neither can be had. */
export async function findRedis(options: PartsOptions): Promise<RedisProgram | undefined> {
  const file = allows(options.env, 'system') ? findProgram(options.env, 'valkey-server', 'redis-server') : undefined
  if (file) {
    const program = { file, env: { PATH: dirname(file), LC_ALL: 'C' } }
    const version = await versionOf(program)
    if (version) return { ...program, from: `${version} of this machine (${file})` }
  }
  return allows(options.env, 'apt') ? aptRedis(options) : undefined
}
