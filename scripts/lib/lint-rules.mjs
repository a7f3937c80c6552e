import { basename } from 'node:path';

const drawers = /^(utils?|helpers?|common|misc|shared|managers?|types)$/i;
const ruleFirst = /^\[(?:[A-Z]-\d+[a-z]?)(?: [A-Z]-\d+[a-z]?)*\] \S/;

/** A file is named for what lives there; a name from the drawer says nothing. */
const tellingNames = {
  meta: { type: 'suggestion', schema: [], messages: { drawer: '"{{name}}" says nothing about what lives here.' } },
  create: (context) => ({
    Program(node) {
      const names = context.filename.split('/').slice(-2);
      const said = [names[0], basename(names[1] ?? '').replace(/\..*$/, '')].find((name) => name !== undefined && drawers.test(name));
      if (said) context.report({ node, loc: { line: 1, column: 0 }, messageId: 'drawer', data: { name: said } });
    },
  }),
};

/** A test's name, or the name of a group around it, starts with the ids of the rules it pins: `[K-7] …`. */
const ruleInName = {
  meta: { type: 'suggestion', schema: [], messages: { missing: 'Start the name of this test with the rule it pins: "[K-7] …".' } },
  create(context) {
    const groups = [];
    return {
      CallExpression(node) {
        const called = calledName(node.callee);
        if (called === 'describe') groups.push(startsWithRule(node.arguments[0]));
        else if (
          (called === 'it' || called === 'test') &&
          node.arguments.length >= 2 &&
          !startsWithRule(node.arguments[0]) &&
          !groups.includes(true)
        )
          context.report({ node, messageId: 'missing' });
      },
      'CallExpression:exit'(node) {
        if (calledName(node.callee) === 'describe') groups.pop();
      },
    };
  },
};

/** `it`, `it.each(…)`, `it.skipIf(…)` and the like are all `it`. */
function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return calledName(callee.object);
  if (callee.type === 'CallExpression') return calledName(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return calledName(callee.tag);
  return undefined;
}

/** A name that is computed cannot be judged here. */
function startsWithRule(name) {
  if (name?.type === 'Literal') return ruleFirst.test(String(name.value));
  if (name?.type === 'TemplateLiteral') return name.quasis[0].value.cooked === '' || ruleFirst.test(name.quasis[0].value.cooked + 'x');
  return true;
}

export const localRules = { 'telling-names': tellingNames, 'rule-in-name': ruleInName };
