using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>A protected block (ECMA-335 §I.12.4.2) in which a thread may pause, with its handlers.</summary>
internal sealed class ProtectedRegion
{
    private readonly int _from, _to;
    private readonly HashSet<int> _calls;

    private ProtectedRegion(MethodBody body, List<ExceptionHandler> handlers, IReadOnlyList<Instruction> calls)
    {
        Handlers = handlers;
        _from = body.Instructions.IndexOf(handlers[0].TryStart);
        _to = body.Instructions.IndexOf(handlers[0].TryEnd);
        _calls =
        [
            .. Enumerable.Range(0, calls.Count).Where(number =>
                body.Instructions.IndexOf(calls[number]) is var at && at >= _from && at < _to),
        ];
    }

    /// <summary>The handlers of the block.</summary>
    public IReadOnlyList<ExceptionHandler> Handlers { get; }

    /// <summary>Its first instruction.</summary>
    public Instruction Start
    {
        get => Handlers[0].TryStart;
        set
        {
            foreach (var handler in Handlers) handler.TryStart = value;
        }
    }

    /// <summary>The regions of a method in which calls are, the innermost first.</summary>
    public static List<ProtectedRegion> Of(MethodBody body, IReadOnlyList<Instruction> calls) =>
    [
        .. body.ExceptionHandlers.GroupBy(handler => (handler.TryStart, handler.TryEnd))
            .Select(handlers => new ProtectedRegion(body, [.. handlers], calls))
            .Where(region => region._calls.Count > 0)
            .OrderBy(region => region._to - region._from),
    ];

    /// <summary>True if a call, by its number, is in it.</summary>
    public bool Has(int call) => _calls.Contains(call);

    /// <summary>True if another is in it, or is it.</summary>
    public bool Contains(ProtectedRegion other) => _from <= other._from && other._to <= _to;
}
