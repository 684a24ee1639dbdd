using System.Reflection;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The procedures of a service, and what is known of their calls. That is more with each translation: first a number of
/// the arguments is taken for a constant, until a call has another; and a method that turns out to be no procedure is
/// translated in the place of each call. So a service is translated until nothing new is known.
/// </summary>
/// <param name="isShared">Tells of a method, by its type and name, whether its calls share one copy.</param>
internal sealed class ProcedureTable(Predicate<string> isShared)
{
    private readonly Dictionary<CallKey, Procedure> _procedures = [];
    private readonly Dictionary<CallKey, int> _calls = [];
    private readonly HashSet<CallKey> _begun = [];
    private readonly HashSet<CallKey> _inlined = [];
    private readonly HashSet<(CallKey Key, int Argument)> _varying = [];
    private bool _hasNone;

    /// <summary>The procedures.</summary>
    public IEnumerable<Function> Functions => _procedures.Values.Select(procedure => procedure.Function);

    /// <summary>True if the service has to be translated again, by what is known now.</summary>
    public bool IsStale { get; private set; }

    /// <summary>Begins a translation of the service.</summary>
    public void Begin()
    {
        _procedures.Clear();
        _calls.Clear();
        _begun.Clear();
        IsStale = false;
    }

    /// <summary>Ends one: a procedure of one call is none.</summary>
    public void End()
    {
        foreach (var (key, calls) in _calls)
            if (calls == 1) Inline(key);
    }

    /// <summary>No method is a procedure: while an event waits, another may come by the same place.</summary>
    public void InlineAll() => (_hasNone, IsStale) = (true, IsStale || _procedures.Count > 0);

    /// <summary>True if the calls of a method are to share a copy.</summary>
    public bool Takes(MethodBase method) => !_hasNone && isShared(NameOf(method));

    /// <summary>True if calls of a key are no calls of a procedure.</summary>
    public bool IsInlined(CallKey key) => _inlined.Contains(key);

    /// <summary>Notes that such calls are no calls of a procedure.</summary>
    public void Inline(CallKey key) => IsStale |= _inlined.Add(key);

    /// <summary>The procedure of a key, for a call; null when it is not made yet.</summary>
    public Procedure? Called(CallKey key)
    {
        _calls[key] = _calls.GetValueOrDefault(key) + 1;
        return _procedures.GetValueOrDefault(key);
    }

    /// <summary>True if a number of the arguments has been another in another call.</summary>
    public bool Varies(CallKey key, int argument) => _varying.Contains((key, argument));

    /// <summary>Notes that a number of the arguments is another in another call.</summary>
    public void Vary(CallKey key, int argument) => IsStale |= _varying.Add((key, argument));

    /// <summary>Begins to make the procedure of a key; false if it calls itself.</summary>
    public bool TryBegin(CallKey key) => _begun.Add(key);

    /// <summary>The name of a procedure that has begun: the method's, with a number from the second on.</summary>
    public string NameFor(MethodBase method)
    {
        var name = NameOf(method);
        var number = _begun.Count(key => NameOf(key.Method) == name);
        return number == 1 ? name : $"{name} {number}";
    }

    /// <summary>Adds the procedure of a key.</summary>
    public void Add(CallKey key, Procedure procedure) => _procedures[key] = procedure;

    /// <summary>The name of a method, as lines of C# have it.</summary>
    public static string NameOf(MethodBase method) =>
        $"{method.DeclaringType?.Name.Split('`')[0]}.{method.Name}";
}
