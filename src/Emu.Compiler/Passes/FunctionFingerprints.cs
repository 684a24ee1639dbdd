using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The fingerprints of the functions that passes work on, at one moment.</summary>
internal sealed class FunctionFingerprints
{
    private readonly List<(Function Function, ulong Number)> _all;
    private readonly ulong _ofProcedures;

    /// <summary>Takes them.</summary>
    public FunctionFingerprints(Compilation compilation)
    {
        _all = [.. compilation.InWork.Select(function => (function, Fingerprint.Of([function])))];
        OfAll = Fingerprint.Of([.. _all.Select(one => one.Number)]);
        // What a procedure changes, which its callers ask for, is in none of their own.
        _ofProcedures = Fingerprint.Of(
            [.. _all.Where(one => compilation.Procedures.Contains(one.Function)).Select(one => one.Number)]);
    }

    /// <summary>One for all.</summary>
    public ulong OfAll { get; }

    /// <summary>That of a function.</summary>
    public ulong Of(Function function) => _all.First(one => one.Function == function).Number;

    /// <summary>
    /// One of a function, of what it calls, and of something else on which what is done to it depends.
    /// </summary>
    public ulong With(Function function, ulong other) => Fingerprint.Of(Of(function), _ofProcedures, other);

    /// <summary>The functions that are not as they were, or were not there.</summary>
    public IEnumerable<Function> ChangedSince(FunctionFingerprints before) =>
        _all.Where(one => !before._all.Contains(one)).Select(one => one.Function);
}
