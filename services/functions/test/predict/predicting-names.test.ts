import { sendJson } from '@onward/testbed'
import { useBoard } from '../support/use-board.ts'

const { ask, asked, boardUser, onward } = useBoard()

describe('POST /functions/:function_name/get, for a parameter with a source function,', () => {
  it.each([
    ["post 'Hello' to #general", 'C024BE91L'],
    ["post 'Hello' in the General channel", 'C024BE91L'],
    ['post \'Hello\' to channel "dev-ops"', 'C4'],
    ["post 'Hello' to dev ops", 'C4'],
    ["post 'Hello' to the genral channel", 'C024BE91L'],
    ["post 'Hello' to the support channel", 'C5'],
    ["post 'The general is in the dev room' to #random", 'C1'],
  ])('finds the id of the name in "%s"', async (prompt, channel) => {
    expect((await ask('post-message', prompt)).args).toMatchObject({ channel })
  })

  it.each([
    ["post 'Hello' to the marketing crew"],
    ["post 'Hello'"],
    ["post 'general'"],
    ["post 'Talk to general tomorrow'"],
    ["post 'Hello' to #nowhere"],
  ])('leaves out the id when no name is clear in "%s"', async (prompt) => {
    expect((await ask('post-message', prompt)).args).not.toHaveProperty('channel')
  })

  it('returns the source function and the span of the name as the origin', async () => {
    const prompt = "post 'Hello' to #general"
    const { meta } = await ask('post-message', prompt)
    const at = prompt.indexOf('general')
    expect(meta.channel).toEqual({
      from: 'source_function',
      function: 'board-list-channels',
      span: [at, at + 7],
      confidence: expect.any(Number),
    })
  })

  it('returns a number for a numeric parameter, and prefers the longer of two names', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" in the Marketing pipeline')).args).toMatchObject({
      name: 'Chairs',
      pipeline_id: 8,
    })
    expect((await ask('create-deal', 'create a deal named "Chairs" in the Sales Europe pipeline')).args).toMatchObject({ pipeline_id: 9 })
  })

  it('finds a person by the verb of the prompt', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" and assign it to Zoe')).args).toMatchObject({ assignee: 'u2' })
    expect((await ask('create-deal', 'create a deal named "Chairs" as Zoe wanted')).args).not.toHaveProperty('assignee')
  })

  it('uses the id of one parameter to find that of another', async () => {
    const { args } = await ask('create-deal', 'create a deal named "Chairs" in the Marketing pipeline, stage "In talks"')
    expect(args).toMatchObject({ pipeline_id: 8, stage_id: 's2' })
    expect(asked()).toEqual(expect.arrayContaining(['/pipelines', '/pipelines/8/stages']))
  })

  it('returns a list for a list parameter, and no id for an ambiguous name', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" with tag hot')).args).toMatchObject({ tag_ids: ['t1'] })
    expect((await ask('create-deal', 'create a deal named "Chairs" with tag twin')).args).not.toHaveProperty('tag_ids')
  })

  it('leaves out an id that would be read as a tag', async () => {
    const prompt = "post 'Hello' to #odd-ids"
    expect((await ask('post-message', prompt)).args).toMatchObject({ channel: '{odd}' })
    expect((await ask('post-message', prompt, { _variables: { a: 1 } })).args).not.toHaveProperty('channel')
  })

  it('leaves out an id that is too long', async () => {
    onward.third.respond((_got, response) => sendJson(response, 200, { channels: [{ id: 'C'.repeat(501), name: 'general' }] }))
    expect((await ask('post-message', "post 'Hello' to #general")).args).not.toHaveProperty('channel')
  })

  it('also finds ids in POST /functions/predict', async () => {
    const user = await boardUser()
    const sent = { prompt: "post message 'Hello' to the general channel of Board", predict_arguments: true }
    const { body } = await user.post('/functions/predict', sent).expect(200)
    expect(body.functions[0]).toMatchObject({ name: 'board-post-message', arguments: { channel: 'C024BE91L' } })
  })
})
