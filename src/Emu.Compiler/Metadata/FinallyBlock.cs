using System.Reflection;

namespace Emu.Compiler.Metadata;

/// <summary>A try block with a finally block, by offsets of CIL.</summary>
/// <param name="Start">The first instruction.</param>
/// <param name="End">The instruction behind the last.</param>
/// <param name="Handler">The first instruction of the finally block.</param>
/// <param name="HandlerEnd">The instruction behind its last.</param>
internal sealed record FinallyBlock(int Start, int End, int Handler, int HandlerEnd)
{
    /// <summary>The blocks of a method, the inner ones first; none where exceptions are caught.</summary>
    public static IReadOnlyList<FinallyBlock> Of(MethodBody body)
    {
        var clauses = body.ExceptionHandlingClauses;
        return clauses.Any(clause => clause.Flags != ExceptionHandlingClauseOptions.Finally)
            ? []
            : [
                .. clauses.Select(clause => new FinallyBlock(
                    clause.TryOffset, clause.TryOffset + clause.TryLength, clause.HandlerOffset,
                    clause.HandlerOffset + clause.HandlerLength)).OrderBy(block => block.End - block.Start),
            ];
    }

    /// <summary>True if an instruction is in the try block.</summary>
    public bool Contains(int offset) => offset >= Start && offset < End;

    /// <summary>True if an instruction is in the finally block.</summary>
    public bool Handles(int offset) => offset >= Handler && offset < HandlerEnd;
}
