using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Emu.Compiler.Metadata;

/// <summary>
/// Lines and variables of C# from portable PDB files beside the assemblies; without a file they are unknown.
/// </summary>
internal sealed class SymbolReader
{
    private readonly Dictionary<Module, MetadataReader?> _readers = [];
    private readonly Dictionary<MethodBase, List<(int Offset, string File, int Line)>> _points = [];
    private readonly Dictionary<(MethodBase Method, int Point), string?> _variables = [];

    /// <summary>The line that an instruction comes from.</summary>
    public (string File, int Line) Find(MethodBase method, int offset)
    {
        if (!_points.TryGetValue(method, out var points)) _points[method] = points = Read(method);
        // The instructions that the C# compiler puts before the first line belong to it.
        var point = points.FindLast(p => p.Offset <= offset) is { File: not null } at ? at : points.FirstOrDefault();
        return (point.File ?? "", point.Line);
    }

    /// <summary>The local variable that the statement of an instruction sets; null when it sets none.</summary>
    public string? FindVariable(MethodBase method, MethodCode code, int offset)
    {
        if (!_points.TryGetValue(method, out var points)) _points[method] = points = Read(method);
        var at = points.FindLastIndex(point => point.Offset <= offset);
        if (at < 0) return null;
        if (_variables.TryGetValue((method, at), out var known)) return known;
        var end = at + 1 < points.Count ? points[at + 1].Offset : int.MaxValue;
        var store = code.Instructions.FindLast(i =>
            i.Offset >= points[at].Offset && i.Offset < end && SlotOf(i) is not null);
        return _variables[(method, at)] = store is null ? null : NameOf(method, SlotOf(store)!.Value, store.Next);
    }

    /// <summary>The local variable that an instruction stores to.</summary>
    private static int? SlotOf(Instruction instruction) => instruction.OpCode switch
    {
        ILOpCode.Stloc_0 => 0,
        ILOpCode.Stloc_1 => 1,
        ILOpCode.Stloc_2 => 2,
        ILOpCode.Stloc_3 => 3,
        ILOpCode.Stloc or ILOpCode.Stloc_s => (int)instruction.Operand!,
        _ => null,
    };

    private string? NameOf(MethodBase method, int slot, int offset)
    {
        if (ReaderOf(method) is not { } reader) return null;
        return reader.GetLocalScopes(MetadataTokens.MethodDefinitionHandle(method.MetadataToken & 0xFF_FFFF))
            .Select(reader.GetLocalScope)
            .Where(scope => scope.StartOffset <= offset && offset <= scope.EndOffset)
            .SelectMany(scope => scope.GetLocalVariables().Select(reader.GetLocalVariable))
            .Where(variable => variable.Index == slot
                && !variable.Attributes.HasFlag(LocalVariableAttributes.DebuggerHidden))
            .Select(variable => reader.GetString(variable.Name)).LastOrDefault();
    }

    private List<(int, string, int)> Read(MethodBase method)
    {
        if (ReaderOf(method) is not { } reader) return [];
        var handle = MetadataTokens.MethodDebugInformationHandle(method.MetadataToken & 0xFF_FFFF);
        return [.. reader.GetMethodDebugInformation(handle).GetSequencePoints().Where(p => !p.IsHidden)
            .Select(p => (p.Offset, reader.GetString(reader.GetDocument(p.Document).Name), p.StartLine))];
    }

    private MetadataReader? ReaderOf(MethodBase method)
    {
        if (!_readers.TryGetValue(method.Module, out var reader))
            _readers[method.Module] = reader = Open(method.Module);
        // A file of another build may know fewer methods.
        return (method.MetadataToken & 0xFF_FFFF) <= reader?.MethodDebugInformation.Count ? reader : null;
    }

    private static MetadataReader? Open(Module module)
    {
        var file = Path.ChangeExtension(module.FullyQualifiedName, ".pdb");
        try
        {
            return File.Exists(file)
                ? MetadataReaderProvider.FromPortablePdbStream(
                    File.OpenRead(file), MetadataStreamOptions.PrefetchMetadata).GetMetadataReader()
                : null;
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }
}
