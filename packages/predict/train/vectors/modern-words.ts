/** Words of applications that the word list, which is older, does not have or calls rarer than they are. */
export const MODERN_WORDS: readonly string[] = (
  'webhook webhooks cryptocurrency cryptocurrencies emoji emojis selfie hashtag hashtags vlog chatbot chatbots gpt llm nft nfts ethereum blockchain ' +
  'crypto defi tiktok whatsapp instagram linkedin reddit github gitlab bitbucket kubernetes docker devops frontend backend fullstack javascript ' +
  'typescript nodejs dropdown tooltip popup signup login logout onboarding username usernames timestamp metadata json yaml csv api apis oauth saas ' +
  'crm seo upsell screenshot screenshots livestream podcaster influencer influencers wishlist meme memes anime manga cosplay airbnb uber lyft ' +
  'netflix spotify youtube youtuber fintech startup startups crowdfunding freelancer freelancers coworking ebike vegan keto gluten smoothie workout ' +
  'workouts yoga pilates mindfulness journaling astrology horoscope tarot geocode geolocation timezone timezones dataset datasets flowchart mindmap ' +
  'slideshow spreadsheet spreadsheets workspace workspaces invoicing payout payouts checkout chargeback reminder reminders todo kanban backlog ' +
  'changelog unsubscribe subscriber subscribers newsletter newsletters unread inbox autocomplete'
).split(' ')
