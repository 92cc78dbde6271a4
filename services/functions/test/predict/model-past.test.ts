import { openScriptedModel } from '../support/scripted-model.ts'
import { ASKED, useLearning } from '../support/use-learning.ts'

describe('predicting with a model, for a user with past prompts,', () => {
  let model: Awaited<ReturnType<typeof openScriptedModel>>
  const env: Record<string, string> = { MODEL_NAME: 'chooser-1' }
  beforeAll(async () => {
    model = await openScriptedModel()
    Object.assign(env, model.env)
  })
  const learning = useLearning(env)

  it("sends the user's own similar prompts without values as examples, and nothing of other users", async () => {
    const { user, appKey, application } = await learning.newUser()
    await learning.teach(user, appKey)
    const ann = learning.onward.user('ann', application)
    await learning.connect(ann)
    const told = async (asking: typeof user) => {
      model.forget()
      await learning.predict(asking, `${ASKED} of room 5`)
      return model.chats()[0]?.messages[0]?.content?.split('\n').slice(-2)
    }
    expect(await told(user)).toEqual([expect.stringContaining('Earlier requests'), `"${ASKED}": ${learning.meant}`])
    expect(await told(ann)).not.toContainEqual(expect.stringContaining('Earlier requests'))
  })
})
