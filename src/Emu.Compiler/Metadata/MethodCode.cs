using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Metadata;

/// <summary>The CIL of a method, decoded, with its tokens resolved in the method's own generic context.</summary>
internal sealed class MethodCode
{
    private static readonly Dictionary<int, OpCode> s_opCodes =
        typeof(OpCodes).GetFields()
            .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (int)(ushort)code.Value);

    private readonly MethodBase _method;
    private readonly byte[] _bytes;

    private MethodCode(MethodBase method, MethodBody body)
    {
        _method = method;
        _bytes = body.GetILAsByteArray() ?? [];
        Locals = [.. body.LocalVariables.Select(local => local.LocalType)];
        FirstTry = body.ExceptionHandlingClauses.MinBy(clause => clause.TryOffset);
        Finallys = FinallyBlock.Of(body);
        for (var offset = 0; offset < _bytes.Length; offset = Instructions[^1].Next) Instructions.Add(Decode(offset));
    }

    /// <summary>The instructions in the order of their offsets.</summary>
    public List<Instruction> Instructions { get; } = [];

    /// <summary>The types of the local variables.</summary>
    public IReadOnlyList<Type> Locals { get; }

    /// <summary>The first block in which exceptions are caught, or behind which code runs; null for none.</summary>
    public ExceptionHandlingClause? FirstTry { get; }

    /// <summary>The blocks behind which code runs, the inner ones first; none where exceptions are caught.</summary>
    public IReadOnlyList<FinallyBlock> Finallys { get; }

    /// <summary>The offsets at which an instruction may go on: a jump out of a try block, where it is left.</summary>
    public IReadOnlyList<int> TargetsOf(Instruction instruction)
    {
        if (Finallys.Count == 0) return instruction.Targets;
        if (instruction.OpCode == ILOpCode.Endfinally)
            return HandlerAt(instruction.Offset) is { } block
                ? [.. ExitsOf(block).Select(target => LeftFirst(block.Handler, target)?.Handler ?? target)]
                : [];
        return instruction.LongForm == ILOpCode.Leave
            ? [LeftFirst(instruction.Offset, instruction.Targets[0])?.Handler ?? instruction.Targets[0]]
            : instruction.Targets;
    }

    /// <summary>The innermost try block that is left on the way from one instruction to another.</summary>
    public FinallyBlock? LeftFirst(int from, int target) =>
        Finallys.FirstOrDefault(block => block.Contains(from) && !block.Contains(target));

    /// <summary>The innermost try block around an instruction.</summary>
    public FinallyBlock? Around(int offset) => Finallys.FirstOrDefault(block => block.Contains(offset));

    /// <summary>The try block whose handler an instruction is in.</summary>
    public FinallyBlock? HandlerAt(int offset) => Finallys.Where(block => block.Handles(offset))
        .MinBy(block => block.HandlerEnd - block.Handler);

    /// <summary>The places to which jumps lead out of a try block.</summary>
    public IReadOnlyList<int> ExitsOf(FinallyBlock block) =>
    [
        .. Instructions.Where(i => i.LongForm == ILOpCode.Leave && block.Contains(i.Offset))
            .Select(i => i.Targets[0]).Where(target => !block.Contains(target)).Distinct().Order(),
    ];

    /// <summary>Decodes a method; null when it has no CIL.</summary>
    /// <exception cref="CompileException">The CIL is not valid.</exception>
    public static MethodCode? Of(MethodBase method)
    {
        try
        {
            if (method.GetMethodBody() is not { } body) return null;
            var code = new MethodCode(method, body);
            code.RequireClosed();
            return code;
        }
        catch (Exception exception)
            when (exception is ArgumentException or IndexOutOfRangeException or BadImageFormatException
                or TypeLoadException or MissingMemberException or FileNotFoundException)
        {
            throw Invalid(method);
        }
    }

    private static CompileException Invalid(MethodBase method) =>
        new(
            DiagnosticNumber.InvalidCil,
            $"{method.DeclaringType?.Name}.{method.Name} has no valid CIL; build it again with the C# compiler",
            null);

    /// <summary>Jumps lead to instructions, and the last one leads nowhere.</summary>
    private void RequireClosed()
    {
        var offsets = Instructions.Select(instruction => instruction.Offset).ToHashSet();
        if (Instructions.Count == 0 || Instructions[^1].FallsThrough
            || Instructions.Any(instruction => !instruction.Targets.All(offsets.Contains)))
            throw Invalid(_method);
    }

    private Instruction Decode(int start)
    {
        var offset = start;
        int value = _bytes[offset++];
        if (value == 0xFE) value = 0xFE00 | _bytes[offset++];
        if (!s_opCodes.TryGetValue(value, out var opCode)) throw Invalid(_method);
        var operand = Operand(opCode, ref offset);
        return new Instruction(start, offset, opCode, operand);
    }

    private object? Operand(OpCode opCode, ref int offset)
    {
        var at = _bytes.AsSpan(offset);
        switch (opCode.OperandType)
        {
            case OperandType.InlineNone:
                return null;
            case OperandType.ShortInlineI:
                offset += 1;
                return opCode == OpCodes.Ldc_I4_S ? (int)(sbyte)at[0] : (int)at[0];
            case OperandType.ShortInlineVar:
                offset += 1;
                return (int)at[0];
            case OperandType.InlineVar:
                offset += 2;
                return (int)BinaryPrimitives.ReadUInt16LittleEndian(at);
            case OperandType.InlineI:
                offset += 4;
                return BinaryPrimitives.ReadInt32LittleEndian(at);
            case OperandType.InlineI8:
                offset += 8;
                return BinaryPrimitives.ReadInt64LittleEndian(at);
            case OperandType.ShortInlineR:
                offset += 4;
                return BinaryPrimitives.ReadSingleLittleEndian(at);
            case OperandType.InlineR:
                offset += 8;
                return BinaryPrimitives.ReadDoubleLittleEndian(at);
            case OperandType.ShortInlineBrTarget:
                offset += 1;
                return offset + (sbyte)at[0];
            case OperandType.InlineBrTarget:
                offset += 4;
                return offset + BinaryPrimitives.ReadInt32LittleEndian(at);
            case OperandType.InlineSwitch:
                return SwitchTargets(ref offset);
            default:
                offset += 4;
                return Resolve(opCode.OperandType, BinaryPrimitives.ReadInt32LittleEndian(at));
        }
    }

    private int[] SwitchTargets(ref int offset)
    {
        var count = BinaryPrimitives.ReadUInt32LittleEndian(_bytes.AsSpan(offset));
        if (count > _bytes.Length) throw Invalid(_method);
        var targets = new int[count];
        var end = offset + sizeof(int) * (targets.Length + 1);
        for (var i = 0; i < targets.Length; i++)
            targets[i] = end + BinaryPrimitives.ReadInt32LittleEndian(_bytes.AsSpan(offset + sizeof(int) * (i + 1)));
        offset = end;
        return targets;
    }

    private object? Resolve(OperandType kind, int token)
    {
        var ofType = _method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null;
        var ofMethod = _method.IsGenericMethod ? _method.GetGenericArguments() : null;
        return kind switch
        {
            OperandType.InlineString => _method.Module.ResolveString(token),
            OperandType.InlineSig => null,
            _ => _method.Module.ResolveMember(token, ofType, ofMethod),
        };
    }
}
