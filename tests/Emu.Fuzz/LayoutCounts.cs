using Emu.Compiler;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;

namespace Emu.Fuzz;

/// <summary>
/// The layouts that the programs of a campaign took, and the reasons that kept the others from being pipelines.
/// </summary>
internal sealed class LayoutCounts
{
    private readonly Dictionary<string, int> _layouts = [];
    private readonly Dictionary<string, int> _bounds = [];

    /// <summary>Counts a program.</summary>
    public void Count(Subject subject)
    {
        try
        {
            var compiled = FastestCircuit.Of(subject);
            var layout = $"{compiled.Layout}".ToLowerInvariant();
            Add(_layouts, HasSlowPath(compiled) ? $"{layout} with a slow path" : layout);
            if (compiled.Layout == Layout.Engine) Add(_bounds, Kind(compiled.Bounds[0].What));
        }
        catch (CompileException)
        {
            Add(_layouts, "none");
        }
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"layouts: {Counted(_layouts)}" + (_bounds.Count == 0 ? "" : $"\nno pipeline: {Counted(_bounds)}");

    /// <summary>True if a circuit is a pipeline that leaves some frames to an engine.</summary>
    public static bool HasSlowPath(CompiledService compiled) =>
        compiled.Layout == Layout.Pipeline
        && compiled.Circuit.Design.Sections.Exists(s => s.Title == "states of the program");

    /// <summary>A reason without the name of the state that it is about.</summary>
    private static string Kind(string bound) =>
        bound.IndexOf("is written", StringComparison.Ordinal) is > 0 and var at ? bound[at..] : bound;

    private static void Add(Dictionary<string, int> counts, string key) =>
        counts[key] = counts.GetValueOrDefault(key) + 1;

    private static string Counted(Dictionary<string, int> counts) =>
        string.Join(", ", counts.OrderByDescending(c => c.Value).Select(c => $"{c.Key} {c.Value}"));
}
