// Directs a switch as VS Code would, through the debug adapter. The first argument says how, as JSON: adapter (a program for
// standard input and output) or port (TCP), attach (its arguments), file and line (the C# at which it is to stop), messages
// (the file for all messages, a line each), isLost (whether the switch is then ended, to see that the editor is told).
'use strict';
const assert = require('assert');
const { spawn } = require('child_process');
const fs = require('fs');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const given = JSON.parse(process.argv[2]);
// Longer than any busy machine needs.
const limit = 600000;
const messages = [];

async function attached(more) {
  const client = new DebugClient('sh', given.adapter ?? '', 'emu', undefined, true);
  client.defaultTimeout = limit;
  const [dispatch, send] = [client.dispatch.bind(client), client.doSend.bind(client)];
  client.dispatch = body => {
    messages.push(JSON.parse(body));
    dispatch(body);
  };
  client.doSend = (command, args, done) => {
    messages.push({ type: 'request', seq: client.sequence, command, arguments: args });
    send(command, args, done);
  };
  await client.start(given.port);
  await client.initializeRequest();
  await Promise.all([client.waitForEvent('initialized'), client.attachRequest({ ...given.attach, ...more })]);
  return client;
}

function ping(...args) {
  return new Promise(done => spawn('ping', ['-c', '1', '-W', '300', ...args]).on('exit', done));
}

async function stopped(client, reason, line, action) {
  const [event, stack] = await Promise.all([
    client.waitForEvent('stopped'), client.assertStoppedLocation(reason, { path: given.file, line }), action(),
  ]);
  return { event, frame: stack.body.stackFrames[0] };
}

function refused(request, text) {
  return assert.rejects(request, error => error.message.includes(text) || assert.fail(error.message));
}

async function direct(client) {
  const { file, line } = given;
  const breakAt = async list =>
    (await client.setBreakpointsRequest({ source: { path: file }, breakpoints: list })).body.breakpoints;
  const print = async (expression, context) =>
    (await client.evaluateRequest({ expression, context: context ?? 'watch' })).body.result;

  const [hit, missed] = await breakAt([{ line, condition: 'frame.Length > 1000' }, { line: line + 1 }]);
  assert.ok(hit.verified, hit.message);
  assert.ok(!missed.verified && missed.message.includes(`--direct break:LearningSwitch.cs:${line + 1}`), missed.message);
  await client.setFunctionBreakpointsRequest({ breakpoints: [] });
  await client.setExceptionBreakpointsRequest({ filters: [] });
  await client.configurationDoneRequest();
  assert.strictEqual((await client.threadsRequest()).body.threads[0].name, 'LearningSwitch');

  // A small frame passes; a large one stops the switch at the line.
  assert.strictEqual(await ping('10.0.0.2'), 0);
  let answered;
  const { event, frame } = await stopped(client, 'breakpoint', line, async () => {
    answered = ping('-s', '1400', '10.0.0.2');
  });
  assert.deepStrictEqual(event.body.hitBreakpointIds, [hit.id]);
  assert.strictEqual(frame.name, 'LearningSwitch.Process');
  const [locals, state] = (await client.scopesRequest({ frameId: frame.id })).body.scopes;
  const ports = (await client.variablesRequest({ variablesReference: locals.variablesReference })).body.variables
    .find(variable => variable.name === 'ports');
  assert.strictEqual(ports.value, '{1}');
  await client.setVariableRequest({ variablesReference: locals.variablesReference, name: 'ports', value: '{1}' });
  assert.ok((await client.variablesRequest({ variablesReference: state.variablesReference })).body.variables.length > 1);
  assert.strictEqual(await print('ports', 'hover'), '{1}');

  // The next point is that of another frame, such as the answer; then all go on.
  await breakAt([]);
  const [step] = await Promise.all([client.waitForEvent('stopped'), client.nextRequest({ threadId: 1 })]);
  assert.strictEqual(step.body.reason, 'step');
  await client.continueRequest({ threadId: 1 });
  assert.strictEqual(await answered, 0);

  // A write stops it: frames to an unknown station are flooded.
  const { dataId } = (await client.dataBreakpointInfoRequest({ name: 'Flooded' })).body;
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId }] });
  await stopped(client, 'data breakpoint', given.flooded, async () => { ping('-W', '1', '10.0.0.77'); });
  await client.setDataBreakpointsRequest({ breakpoints: [] });
  await client.continueRequest({ threadId: 1 });

  await client.pauseRequest({ threadId: 1 });
  const pause = client.waitForEvent('stopped');
  answered = ping('10.0.0.2');
  assert.strictEqual((await pause).body.reason, 'pause');
  await client.continueRequest({ threadId: 1 });
  assert.strictEqual(await answered, 0);

  // A logpoint.
  await breakAt([{ line, logMessage: 'to {ports}' }]);
  const logged = new Promise(done =>
    client.on('output', output => /^to \{[01]\}\n$/.test(output.body.output) && done()));
  assert.strictEqual(await ping('10.0.0.2'), 0);
  await logged;
  await breakAt([]);

  assert.match(await print('status', 'repl'), /requests done/);
  assert.strictEqual(await print('set Reserved = 7', 'repl'), 'Reserved = 7');
  assert.strictEqual(await print('Reserved'), '7');
  const { targets } = (await client.completionsRequest({ text: 'print Res', column: 10 })).body;
  assert.deepStrictEqual(targets.map(target => target.label), ['Reserved']);
  await refused(client.stepInRequest({ threadId: 1 }), 'not supported');
  await refused(client.stackTraceRequest({ threadId: 1 }), 'the service runs');
}

async function main() {
  const client = await attached();
  await direct(client);
  await client.disconnectRequest();
  client.stopAdapter();
  if (given.isLost) {
    const other = await attached({ timeout: 10 });
    console.log('attached');
    await other.waitForEvent('terminated');
    await refused(other.threadsRequest(), 'does not answer any more');
    await other.disconnectRequest();
    other.stopAdapter();
  }
  fs.writeFileSync(given.messages, messages.map(message => JSON.stringify(message) + '\n').join(''));
}

main().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
