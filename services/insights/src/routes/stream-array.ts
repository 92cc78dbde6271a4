import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/** Answers a JSON array of any length. Each piece is the text of one item or more, with commas between. */
export async function streamArray(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  async function* text(): AsyncGenerator<string> {
    let separator = '['
    for await (const piece of pieces) {
      yield separator + piece
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }

  response.type('json')
  await pipeline(Readable.from(text(), { highWaterMark: 1 }), response).catch((err: unknown) => {
    // The caller went away: nobody is left to be told.
    if ((err as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err
  })
}
