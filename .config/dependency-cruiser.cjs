/**
 * The house, as rules: otel ← src/core ← { api, mcp, tools, views (types only) } ← node ← shown ← { host, obsidian }. Everything may look
 * left, nothing right. The compiler's project references say the same of folders; these say it of single files and packages.
 */
const WINGS = ['api', 'mcp', 'tools'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-missing', severity: 'error', comment: 'Imports must be found. Obsidian is there when it runs; its package has types only.', from: {}, to: { couldNotResolve: true, pathNot: ['^virtual:', '^obsidian$'] } },
    { name: 'no-undeclared-package', severity: 'error', comment: 'Only what package.json names.', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
    { name: 'no-dev-package-in-the-product', severity: 'error', comment: 'The dashboard is made before, and not part of it.', from: { path: '^(otel|src|views)/', pathNot: '^otel/grafana/' }, to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] } },

    { name: 'the-dashboard-is-made-before', severity: 'error', from: { path: '^(otel|src|views|examples)/', pathNot: '^otel/grafana/' }, to: { path: '^otel/grafana/' } },
    { name: 'otel-looks-at-nothing', severity: 'error', from: { path: '^otel/' }, to: { path: '^(src|views|examples|test|bench)/' } },
    { name: 'core-looks-at-otel-only', severity: 'error', from: { path: '^src/core/' }, to: { path: '^(src/(?!core/)|views|examples|test|bench)' } },
    { name: 'core-takes-names-rows-and-text-from-otel', severity: 'error', from: { path: '^src/core/' }, to: { path: '^otel/', pathNot: '^otel/(attributes|row|text)\\.ts$' } },
    ...WINGS.map((wing) => ({
      name: `${wing}-looks-left`, severity: 'error', from: { path: `^src/${wing}/` }, to: { path: `^(src/(?!core/|${wing}/)|views|examples|test|bench)` },
    })),
    { name: 'authors-look-at-core-api-and-mcp-names', severity: 'error', from: { path: '^src/authors/' }, to: { path: '^(src/(?!core/|api/|authors/|mcp/names)|otel|views|examples|test|bench)' } },
    { name: 'node-looks-left', severity: 'error', from: { path: '^src/node/' }, to: { path: '^(src/(?!core/|api/|mcp/|tools/|node/)|views|examples|test|bench)' } },
    { name: 'shown-looks-left', severity: 'error', from: { path: '^src/shown/' }, to: { path: '^(src/(?!core/|node/|shown/)|examples|test|bench)' } },
    { name: 'the-two-hosts-do-not-meet', severity: 'error', from: { path: '^src/(host|obsidian)/' }, to: { path: '^src/(host|obsidian)/', pathNot: '^src/$1/' } },
    { name: 'obsidian-is-for-its-own-folder', severity: 'error', from: { path: '^(otel|src|views|bench)/', pathNot: '^src/obsidian/' }, to: { path: '^obsidian$' } },
    { name: 'views-look-at-themselves-and-types', severity: 'error', from: { path: '^views/' }, to: { path: '^(src|otel|examples|test|bench)/', dependencyTypesNot: ['type-only'] } },
    { name: 'views-take-types-from-the-core-only', severity: 'error', from: { path: '^views/' }, to: { path: '^(src/(?!core/)|examples|test|bench)' } },
    { name: 'the-page-runs-in-a-browser', severity: 'error', from: { path: '^src/host/page/' }, to: { path: '^(otel|src/(?!core/|host/page/)|examples|test|bench)', dependencyTypesNot: ['type-only'] } },
    { name: 'examples-know-the-public-api-only', severity: 'error', from: { path: '^examples/' }, to: { path: '^(src/(?!api/)|otel|views|test|bench)' } },
    { name: 'nothing-looks-at-tests', severity: 'error', from: { path: '^(otel|src|views|examples)/' }, to: { path: '^(test|bench)/' } },

    { name: 'one-file-knows-the-otel-sdk', severity: 'error', from: { path: '^(otel|src|views)/', pathNot: '^otel/(tracing|exporter/encode)\\.ts$' }, to: { path: 'node_modules/@opentelemetry/(sdk-|resources)', dependencyTypesNot: ['type-only'] } },
    { name: 'mcp-knows-the-mcp-sdk', severity: 'error', from: { path: '^(otel|src|views)/', pathNot: '^src/(mcp/|host/mcp-)' }, to: { path: 'node_modules/@modelcontextprotocol/' } },
    {
      name: 'nodes-own-modules-in-node-and-host-only', severity: 'error', from: { path: '^(otel|src/(core|api|mcp|tools|authors)|views|examples)/' }, to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '\\.d\\.ts$'] },
    exclude: { path: ['^build/', '^dist/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['import', 'types', 'node', 'default'], exportsFields: ['exports'], extensions: ['.ts', '.mjs', '.js', '.d.ts', '.json'] },
    detectProcessBuiltinModuleCalls: true,
  },
};
