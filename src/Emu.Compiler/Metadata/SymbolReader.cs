using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Emu.Compiler.Metadata;

/// <summary>Lines of C# from portable PDB files beside the assemblies; without a file the lines are unknown.</summary>
internal sealed class SymbolReader
{
    private readonly Dictionary<Module, MetadataReader?> _readers = [];
    private readonly Dictionary<MethodBase, List<(int Offset, string File, int Line)>> _points = [];

    /// <summary>The line that an instruction comes from.</summary>
    public (string File, int Line) Find(MethodBase method, int offset)
    {
        if (!_points.TryGetValue(method, out var points)) _points[method] = points = Read(method);
        // The instructions that the C# compiler puts before the first line belong to it.
        var point = points.FindLast(p => p.Offset <= offset) is { File: not null } at ? at : points.FirstOrDefault();
        return (point.File ?? "", point.Line);
    }

    private List<(int, string, int)> Read(MethodBase method)
    {
        if (!_readers.TryGetValue(method.Module, out var reader))
            _readers[method.Module] = reader = Open(method.Module);
        if (reader is null) return [];
        // A file of another build may know fewer methods.
        if ((method.MetadataToken & 0xFF_FFFF) > reader.MethodDebugInformation.Count) return [];
        var handle = MetadataTokens.MethodDebugInformationHandle(method.MetadataToken & 0xFF_FFFF);
        return [.. reader.GetMethodDebugInformation(handle).GetSequencePoints().Where(p => !p.IsHidden)
            .Select(p => (p.Offset, reader.GetString(reader.GetDocument(p.Document).Name), p.StartLine))];
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
