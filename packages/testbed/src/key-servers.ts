import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { openScriptedServer, type Received, type ScriptedServer, sendJson } from './scripted-server.ts'

export const VAULT_TOKEN = 'hvs.of-the-tests'
export const AWS_SECRET = 'aws-secret-of-the-tests'

/** A server with the transit engine of Vault and one key, `transit/onward`. */
export async function openVault(): Promise<ScriptedServer> {
  const server = await openScriptedServer()
  const { wrap, unwrap } = openWrappingKey()
  server.respond(({ method, url, headers, body }, response) => {
    if (headers['x-vault-token'] !== VAULT_TOKEN) return sendJson(response, 403, { errors: ['1 error occurred:\n\t* permission denied'] })
    const { ciphertext = '' } = JSON.parse(body) as { ciphertext?: string }
    if (`${method} ${url}` === 'POST /v1/transit/datakey/wrapped/onward') {
      return sendJson(response, 200, { data: { ciphertext: `vault:v1:${wrap(randomBytes(32)).toString('base64')}` } })
    }
    if (`${method} ${url}` !== 'POST /v1/transit/decrypt/onward') return sendJson(response, 404, { errors: ['no handler for route'] })
    const plain = unwrap(Buffer.from(ciphertext.replace('vault:v1:', ''), 'base64'))
    if (plain === undefined) return sendJson(response, 400, { errors: ['cipher: message authentication failed'] })
    return sendJson(response, 200, { data: { plaintext: plain.toString('base64') } })
  })
  return server
}

/** A server with the protocol of AWS KMS and one key, `alias/onward`. It refuses requests without a valid signature (version 4). */
export async function openKms(): Promise<ScriptedServer> {
  const server = await openScriptedServer()
  const { wrap, unwrap } = openWrappingKey()
  server.respond((received, response) => {
    const refuse = (type: string, message: string) => sendJson(response, 400, { __type: type, message })
    if (!isSigned(received)) return refuse('InvalidSignatureException', 'The request signature we calculated does not match')
    const { KeyId, CiphertextBlob = '' } = JSON.parse(received.body) as { KeyId?: string; CiphertextBlob?: string }
    if (received.headers['x-amz-target'] === 'TrentService.Decrypt') {
      const plain = unwrap(Buffer.from(CiphertextBlob, 'base64'))
      if (plain === undefined) return refuse('InvalidCiphertextException', 'the ciphertext is not valid')
      return sendJson(response, 200, { KeyId: 'arn', Plaintext: plain.toString('base64') })
    }
    if (KeyId !== 'alias/onward') return refuse('NotFoundException', `Alias ${KeyId} is not found.`)
    return sendJson(response, 200, { KeyId: 'arn', CiphertextBlob: wrap(randomBytes(32)).toString('base64') })
  })
  return server
}

function openWrappingKey() {
  const key = randomBytes(32)
  return {
    wrap(plain: Buffer): Buffer {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    unwrap(wrapped: Buffer): Buffer | undefined {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12), { authTagLength: 16 })
        decipher.setAuthTag(wrapped.subarray(-16))
        return Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

function isSigned({ method, url, headers, body }: Received): boolean {
  const [, scope = '', signed = '', signature] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`)
  const canonical = [method, url, '', lines.join(''), signed, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${AWS_SECRET}`)
  return hmac(key, text).toString('hex') === signature
}
