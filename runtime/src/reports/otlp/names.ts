/** The conventions' names of providers; any other is told as it is. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['google', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
  ['moonshot', 'moonshot_ai'],
]);

export function providerName(provider: string): string {
  return PROVIDERS.get(provider) ?? provider;
}
