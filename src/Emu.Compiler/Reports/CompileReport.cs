using System.Text.Encodings.Web;
using System.Text.Json;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports;

/// <summary>
/// The facts about a compiled service: <c>report.json</c>, whose fields docs/report.schema.json describes.
/// </summary>
public sealed record CompileReport
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The service's class.</summary>
    public required string Service { get; init; }

    /// <summary>The arguments that it was constructed with, as they are written behind <c>--</c>.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>The module.</summary>
    public required string Top { get; init; }

    /// <summary>The files beside the report, to be given to synthesis.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Bits of <c>tdata</c>.</summary>
    public required int BusBits { get; init; }

    /// <summary>MAC ports.</summary>
    public required int Ports { get; init; }

    /// <summary>The most bytes behind an Ethernet header.</summary>
    public required int Mtu { get; init; }

    /// <summary>The family of devices by whose delays the logic of a cycle was budgeted.</summary>
    public required string Device { get; init; }

    /// <summary>The clock that the logic of a cycle was budgeted for, in MHz.</summary>
    public required int ClockMhz { get; init; }

    /// <summary>The picoseconds that a cycle of that clock has for logic and wiring between two flops.</summary>
    public required long LogicPicoseconds { get; init; }

    /// <summary>The levels of logic for which that is the time.</summary>
    public required int LogicLevels { get; init; }

    /// <summary>The layout's name.</summary>
    public required string Layout { get; init; }

    /// <summary>The engines to which frames are dealt; of a pipeline those of its slow path.</summary>
    public int Engines { get; init; } = 1;

    /// <summary>
    /// The gain and the cost of one more engine; null where there cannot be more than one, and of a pipeline.
    /// </summary>
    public OneMoreEngine? OneMoreEngine { get; init; }

    /// <summary>
    /// From the first beat in to the first beat out, of a frame alone that is not the first of its second, of the first
    /// kind of which a frame leaves; null when none came out.
    /// </summary>
    public required long? LatencyCycles { get; init; }

    /// <summary>
    /// Cycles from one frame of that kind to the next, by their bytes on the bus, from its own length up.
    /// </summary>
    public required IReadOnlyDictionary<int, long> IntervalCycles { get; init; }

    /// <summary>The conditions under which latency and intervals were measured.</summary>
    public required MeasurementNote Measurement { get; init; }

    /// <summary>
    /// Frames that take a slow path beside the pipeline, by the reasons for which they do; empty when there is none.
    /// </summary>
    public required IReadOnlyList<SlowPathNote> SlowPath { get; init; }

    /// <summary>The causes that keep the intervals from being shorter; may be empty.</summary>
    public required IReadOnlyList<Bound> BoundedBy { get; init; }

    /// <summary>The parts of the circuit.</summary>
    public required IReadOnlyList<Stage> Stages { get; init; }

    /// <summary>
    /// The steps of handling a frame, cycle by cycle: a pipeline's stages in order,
    /// or an engine's states, the entry first. Empty when nothing is known.
    /// </summary>
    public required IReadOnlyList<Step> Steps { get; init; }

    /// <summary>The flops, RAMs, LUTs and DSPs of the circuit, by method and part.</summary>
    public required IReadOnlyList<Cost> Costs { get; init; }

    /// <summary>The flops, RAMs, LUTs and DSPs of the whole circuit.</summary>
    public required Resources Resources { get; init; }

    /// <summary>
    /// The Verilog modules that stand for methods, one for each instance: what they take is not in
    /// <see cref="Resources"/>.
    /// </summary>
    public IReadOnlyList<string> Modules { get; init; } = [];

    /// <summary>The registers that can be read and written through AXI4-Lite.</summary>
    public required IReadOnlyList<RegisterEntry> Registers { get; init; }

    /// <summary>The compiler's other messages; empty when there are none.</summary>
    public required IReadOnlyList<Diagnostic> Diagnostics { get; init; }

    /// <summary>The text of <c>report.json</c>.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, s_json) + "\n";

    /// <summary>The report in a text of <c>report.json</c>.</summary>
    /// <param name="text">As <see cref="ToJson"/> writes it.</param>
    /// <exception cref="FormatException">It is none of this version of Emu; the message says why.</exception>
    public static CompileReport FromJson(string text)
    {
        try
        {
            return JsonSerializer.Deserialize<CompileReport>(text, s_json)
                ?? throw new FormatException("it holds nothing");
        }
        catch (JsonException exception)
        {
            throw new FormatException(exception.Message, exception);
        }
    }
}

/// <summary>The conditions under which latency and intervals were measured.</summary>
/// <param name="Simulator">The simulator.</param>
/// <param name="Frame">
/// The kind of frames that the report's latency and intervals are of, and where they are from.
/// </param>
/// <param name="LatencyBytes">The bytes of the frame that the latency is of.</param>
/// <param name="FirstLatencyCycles">The latency of the first frame after reset; null when it did not come out.</param>
/// <param name="NextSecondLatencyCycles">
/// The latency of a frame that arrives a second after the one before; null when it did not come out, or when the
/// service does not divide the time.
/// </param>
/// <param name="AnsweredBytes">The lengths at which the frames came out again; at the others they were dropped.</param>
/// <param name="Frames">The number of frames that were measured, of all kinds.</param>
/// <param name="Cycles">Cycles that all these take, one behind the other, at their own lengths.</param>
/// <param name="Kinds">Each kind of frames, in the order in which they come.</param>
/// <param name="Method">The rest, in a sentence.</param>
public sealed record MeasurementNote(
    string Simulator, string Frame, int LatencyBytes, long? FirstLatencyCycles, long? NextSecondLatencyCycles,
    IReadOnlyList<int> AnsweredBytes, int Frames, long Cycles, IReadOnlyList<KindNote> Kinds, string Method);

/// <summary>Frames of one kind, measured.</summary>
/// <param name="Name">Their protocols, and the requests in their headers.</param>
/// <param name="Bytes">The bytes of the first of them, without FCS.</param>
/// <param name="Frames">The number of measured frames that are of this kind.</param>
/// <param name="LatencyCycles">The latency, as in the report; null when nothing leaves.</param>
/// <param name="IntervalCycles">The intervals, as in the report.</param>
/// <param name="Path"><c>pipeline</c>, <c>slow path</c> or <c>engine</c>.</param>
public sealed record KindNote(
    string Name, int Bytes, int Frames, long? LatencyCycles, IReadOnlyDictionary<int, long> IntervalCycles,
    string Path);

/// <summary>Frames that take the slow path for one reason.</summary>
/// <param name="File">The C# file; empty when unknown.</param>
/// <param name="Line">The line, from 1; 0 when unknown.</param>
/// <param name="What">The reason.</param>
/// <param name="Frames">The number of measured frames that take it.</param>
/// <param name="Share">Their share of all frames measured, 0 to 1.</param>
/// <param name="IntervalCycles">
/// Cycles from one such frame to the next, of the first kind measured; null when none was.
/// </param>
/// <param name="CostCycles">
/// Cycles by which one such frame delays all behind it, those that have to follow it included; null when no frame of
/// the kind was measured.
/// </param>
public sealed record SlowPathNote(
    string File, int Line, string What, int Frames, double Share, long? IntervalCycles, long? CostCycles);

/// <summary>A cause that keeps an interval from being shorter.</summary>
/// <param name="File">The C# file; empty when unknown.</param>
/// <param name="Line">The line, from 1; 0 when unknown.</param>
/// <param name="What">The operation, loop or variable.</param>
/// <param name="Instead">What can be done about it, and what that costs; empty where nothing is known.</param>
public sealed record Bound(string File, int Line, string What, string Instead);

/// <summary>A message of the compiler about a line.</summary>
/// <param name="Number">The number, such as EMU0001.</param>
/// <param name="File">The C# file; empty when unknown.</param>
/// <param name="Line">The line, from 1; 0 when unknown.</param>
/// <param name="Message">The message, on one line.</param>
public sealed record Diagnostic(string Number, string File, int Line, string Message);
