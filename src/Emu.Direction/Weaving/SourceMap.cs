using Emu.Direction.Language;
using Mono.Cecil;

namespace Emu.Direction.Weaving;

/// <summary>The places in the source of a service at which it can be directed, from its assembly and PDB.</summary>
public sealed class SourceMap
{
    private readonly Dictionary<string, IReadOnlyList<SourcePlace>> _places = [];
    private readonly HashSet<string> _files = [];
    private readonly ServiceParts _parts;

    private SourceMap(TypeDefinition service)
    {
        Service = service.Name;
        _parts = new ServiceParts(service);
        Methods =
        [
            .. service.Methods.Where(method => method.HasBody).Select(method => method.Name).Distinct(),
            .. _parts.Classes.Skip(1).Select(part => part.Name),
        ];
        var events = new ServiceEvents(service, _parts);
        foreach (var found in events.All(StateVariables.Of(service))) Add(found.Text, found, events);
        foreach (var file in events.Files())
        {
            _files.Add(file);
            foreach (var line in events.Lines(file).Select(number => events.Line($"{file}:{number}")!))
                Add(line.Text, line, events);
        }
    }

    /// <summary>The name of the service.</summary>
    public string Service { get; }

    /// <summary>
    /// The names of its methods, and of the classes of its objects, which stand before those of their methods' locals.
    /// </summary>
    public IReadOnlyList<string> Methods { get; }

    /// <summary>Reads the map of a service.</summary>
    /// <param name="assembly">The path of its assembly, before it is woven; the PDB is beside it or in it.</param>
    /// <param name="service">The full name of its class.</param>
    /// <exception cref="WeaveException">The assembly cannot be read, or is woven.</exception>
    public static SourceMap Of(string assembly, string service)
    {
        using var resolver = ServiceWeaver.ResolverFor(assembly);
        using var module = ServiceWeaver.Read(assembly, resolver);
        return module.GetType(service) is { } type
            ? new SourceMap(type)
            : throw new WeaveException($"{assembly} has no class {service}");
    }

    /// <summary>The places of a probe, such as <c>break Process</c>, <c>watch Forwarded</c> or a trace.</summary>
    /// <returns>The places in the order of the code; none if the source has no such probe.</returns>
    public IReadOnlyList<SourcePlace> PlacesOf(string probe)
    {
        ArgumentNullException.ThrowIfNull(probe);
        var (feature, name) = probe.Split(' ', 2) is [var first, var rest] ? (first, rest) : (probe, "");
        var kind = feature == "break" ? EventKind.Calls : EventKind.Writes;
        return _places.GetValueOrDefault(ProbedEvent.TextOf(kind, name)) ?? [];
    }

    /// <summary>True if code of the service is in a file of this name, without a folder.</summary>
    public bool HasFile(string file) => _files.Contains(file);

    /// <summary>
    /// The path of a file where the assembly was built, by its name; null if the service has none such.
    /// </summary>
    public string? PathOf(string file) => _places.Values.SelectMany(places => places)
        .FirstOrDefault(place => Path.GetFileName(place.File) == file)?.File;

    /// <summary>The lines of a file, by its name without a folder, on which code of the service begins.</summary>
    public IReadOnlyList<int> Lines(string file) =>
    [
        .. _places.Values.SelectMany(places => places).Where(place => place.Name == $"{file}:{place.Line}")
            .Select(place => place.Line).Distinct().Order(),
    ];

    private void Add(string name, ProbedEvent found, ServiceEvents events) =>
        _places.TryAdd(name, [.. found.Places.SelectMany(place => PlacesOf(place, events))]);

    /// <summary>The line of a place; of one in a property without code of its own, the lines that assign it.</summary>
    private IEnumerable<SourcePlace> PlacesOf(ProbePlace place, ServiceEvents events)
    {
        var isWritten = !place.Method.CustomAttributes.Any(a => a.AttributeType.Name == "CompilerGeneratedAttribute");
        foreach (var (method, instruction, _) in isWritten ? [place] : events.CallsOf(place.Method))
        {
            var point = method.DebugInformation.SequencePoints
                .LastOrDefault(p => !p.IsHidden && p.Offset <= instruction.Offset);
            if (point is not null)
                yield return new SourcePlace(
                    _parts.NameOf(method), point.Document.Url, point.StartLine,
                    LocalVariables.NamesAt(place, _parts));
        }
    }
}
