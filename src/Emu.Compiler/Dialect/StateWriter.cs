using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// Writes the states of a function, each with a label and a pause. Inside a state branches nest by the tree of
/// dominators (Ramsey 2022, <em>Beyond Relooper</em>); what several ways lead to has a label behind them.
/// </summary>
internal sealed class StateWriter
{
    private readonly StateSchedule _schedule;
    private readonly OperationWriter _operations;
    private readonly ProgramNames _names;
    private readonly ProgramTerms _terms;
    private readonly LiveRanges _ranges;
    private readonly Dictionary<ProgramState, string> _labels = [];
    private readonly Dictionary<Block, string> _joins = [];
    private readonly List<ProgramState> _resumed = [];
    private readonly HashSet<string> _asked = [];
    private SourceWriter _text = new();
    private ProgramState? _state;
    private Dominators? _dominators;

    /// <summary>For a function.</summary>
    public StateWriter(
        StateSchedule schedule, ProgramNames names, ProgramTerms terms, OperationWriter operations, LiveRanges ranges)
    {
        (_schedule, _names, _terms, _operations, _ranges) = (schedule, names, terms, operations, ranges);
        foreach (var state in schedule.States) _labels[state] = names.Unique($"State_{state.Number}");
    }

    /// <summary>The states that follow a copy which is sent, by the number that says so, from 1.</summary>
    public IReadOnlyList<string> Resumed => [.. _resumed.Select(state => _labels[state])];

    /// <summary>Writes all states; the first is fallen into.</summary>
    public void Write(SourceWriter text)
    {
        var states = _schedule.States;
        var bodies = new List<string>();
        foreach (var (i, state) in states.Index())
        {
            _text = text.Inside();
            (_state, _dominators) = (state, new Dominators([.. state.Parts.Select(part => part.Block)]));
            Write(state.Parts[0], i + 1 < states.Count ? _labels[states[i + 1]] : null);
            bodies.Add(_text.Text);
        }
        foreach (var (i, state) in states.Index())
        {
            if (LocationOf(state) is { } place) text.Lines($"\n// {place}");
            if (i > 0 && (_asked.Contains(_labels[state]) || _resumed.Contains(state))) text.Label(_labels[state]);
            text.Lines("Kiwi.Pause();");
            text.Raw(bodies[i]);
        }
    }

    private static string? LocationOf(ProgramState state) =>
        state.Parts.SelectMany(part => part.Operations).FirstOrDefault(o => o.Location is not null)?.Location!.Own.Here;

    /// <summary>Writes a part, and behind it what several ways from it lead to.</summary>
    /// <param name="part">The part.</param>
    /// <param name="next">The label of what follows in the text; null where nothing does.</param>
    private void Write(StatePart part, string? next)
    {
        List<StatePart> joins =
            [.. _state!.Parts.Where(p => p.Ways > 1 && _dominators!.Immediate(p.Block) == part.Block)];
        foreach (var join in joins) _joins[join.Block] = _names.Unique("join");
        _operations.Write(_state, part.Operations, _text);
        Leave(part, joins.Count > 0 ? _joins[joins[0].Block] : next);
        foreach (var (i, join) in joins.Index())
        {
            if (_asked.Contains(_joins[join.Block])) _text.Label(_joins[join.Block]);
            Write(join, i + 1 < joins.Count ? _joins[joins[i + 1].Block] : next);
        }
    }

    private void Leave(StatePart part, string? next)
    {
        if (part.Operations is [.., { Opcode: Opcode.Send } send])
        {
            _resumed.Add(part.Next!);
            Send(send.Operands[1], send.Operands[2], _resumed.Count, next);
            return;
        }
        if (part.Next is { } rest)
        {
            if (rest.Key.HasOffset)
            {
                var access = rest.Key.Block.Operations[rest.Key.Index];
                _text.Lines($"frameOffset = {_terms.Number(access.Operands[0], "uint")};");
            }
            Go(_labels[rest], next);
            return;
        }
        switch (part.Block.Terminator)
        {
            case Jump jump:
                Go(part.Block, jump.Target, next);
                break;
            case Branch branch:
                Choose(part.Block, branch, next);
                break;
            case Return end when Constant.Is(end.Egress, 0):
                _text.Lines("continue;");
                break;
            case Return end:
                Send(end.Length, end.Egress, 0, next);
                break;
            default:
                _text.Lines("continue;");
                break;
        }
    }

    private void Choose(Block block, Branch branch, string? next)
    {
        var (then, other) = (_text.Inside(), _text.Inside());
        var outer = _text;
        string Arm(SourceWriter arm, Block target)
        {
            arm.Deeper();
            _text = arm;
            Go(block, target, next);
            _text = outer;
            return arm.Text;
        }
        var (thenText, otherText) = (Arm(then, branch.Then), Arm(other, branch.Else));
        var condition = _terms.Condition(branch.Condition);
        if (thenText.Length == 0 && otherText.Length == 0) return;
        if (thenText.Length == 0) (condition, thenText, otherText) = (Not(branch.Condition), otherText, "");
        _text.Lines($"if ({condition})");
        _text.Braced(thenText);
        if (otherText.Length == 0) return;
        if (EndsInJump(thenText))
        {
            _text.Raw(SourceWriter.Outdented(otherText));
            return;
        }
        _text.Lines("else");
        _text.Braced(otherText);
    }

    private string Not(Value condition)
    {
        var text = _terms.Condition(condition);
        return text.All(letter => char.IsAsciiLetterOrDigit(letter)) ? "!" + text : $"!({text})";
    }

    private static bool EndsInJump(string text) =>
        text.TrimEnd().Split('\n')[^1].TrimStart() is var last
        && (last.StartsWith("goto ", StringComparison.Ordinal) || last == "continue;");

    /// <summary>Goes on with a block: its variables, then its code, or a jump there.</summary>
    private void Go(Block from, Block to, string? next)
    {
        Assign(from, to);
        if (_state!.GoesOnWith(to) is not { } part) Go(_labels[_schedule.StateOf(to)], next);
        else if (part.Ways > 1) Go(_joins[to], next);
        else Write(part, next);
    }

    private void Go(string label, string? next)
    {
        if (label == next) return;
        _asked.Add(label);
        _text.Lines($"goto {label};");
    }

    /// <summary>Gives the variables of a block what they are on this way, all at once.</summary>
    private void Assign(Block from, Block to)
    {
        var way = to.Predecessors.IndexOf(from);
        List<(Phi Phi, Value Value)> moves =
            [.. to.Phis.Select(phi => (phi, phi.Operands[way])).Where(move => move.phi != move.Item2)];
        var isTangled = moves.Exists(move => moves.Exists(other => other != move && Uses(move.Value, other.Phi)));
        var range = _ranges.AtEnd(_state!, _state!.PartOf(from)!);
        List<string> before = [];
        foreach (var (phi, value) in moves)
        {
            if (!isTangled)
            {
                _text.Lines($"{_names.Of(phi)} = {_terms.Assigned(value)};");
                continue;
            }
            before.Add(_names.Temporary("next", phi.Width, range));
            _text.Lines($"{before[^1]} = {_terms.Assigned(value)};");
        }
        foreach (var (name, (phi, _)) in before.Zip(moves)) _text.Lines($"{_names.Of(phi)} = {name};");
    }

    /// <summary>True if the expression of a value reads a variable.</summary>
    private bool Uses(Value value, Phi phi) => value == phi
        || value is Operation operation && !_terms.HasVariable(operation)
            && operation.Operands.Exists(operand => Uses(operand, phi));

    private void Send(Value length, Value ports, int resume, string? next)
    {
        _text.Lines($"sendLength = {_terms.Number(length, "uint")};");
        _text.Lines($"sendPorts = {_terms.Number(ports, "ulong")};");
        _text.Lines($"resume = {resume};");
        Go("Send", next);
    }
}
