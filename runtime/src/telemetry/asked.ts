/** Whether anything asks for traces at all: all that is looked at in a run without them. */
export function asksForTraces(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}
