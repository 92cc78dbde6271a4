/**
 * What a file parameter of a function takes: an address that Onward fetches the file from, its content in base64, or an object with its
 * bytes, such as a Buffer, a Blob or a File.
 */
export type FileInput = FileArgument | ArrayBuffer | ArrayBufferView | Blob

type FileArgument = { readonly url?: string; readonly base64?: string; readonly name?: string; readonly content_type?: string }

/** How many bytes become characters at once: a call takes a limited number of arguments. */
const AT_ONCE = 0x8000

/**
 * Returns a value in which each Blob, File, ArrayBuffer and byte array, such as a Buffer, is the object that a file parameter takes. A Blob
 * gives its type, and a File also its name.
 */
export async function withFiles(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Blob) return await ofBlob(value)
  if (value instanceof ArrayBuffer) return { base64: toBase64(new Uint8Array(value)) }
  if (ArrayBuffer.isView(value)) return { base64: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
  if (Array.isArray(value)) return await Promise.all(value.map(withFiles))
  // `writeJson` knows what to do with an object of any other class.
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await withFiles(item)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function ofBlob(blob: Blob): Promise<FileArgument> {
  const name = 'name' in blob && typeof blob.name === 'string' ? { name: blob.name } : {}
  const type = blob.type === '' ? {} : { content_type: blob.type }
  return { base64: toBase64(new Uint8Array(await blob.arrayBuffer())), ...name, ...type }
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE))
  return btoa(text)
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
