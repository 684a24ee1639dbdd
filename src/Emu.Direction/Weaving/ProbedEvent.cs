using Emu.Direction.Language;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>An event in the code of a service.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Name">The variable, the method or the line.</param>
/// <param name="Value">The value that is read or written; null for calls.</param>
/// <param name="Places">Where it happens.</param>
internal sealed record ProbedEvent(
    EventKind Kind, string Name, ProbedValue? Value, IReadOnlyList<ProbePlace> Places)
{
    /// <summary>The event as commands name it, such as <c>writes Forwarded</c>.</summary>
    public string Text => TextOf(Kind, Name);

    /// <inheritdoc cref="Text"/>
    public static string TextOf(EventKind kind, string name) => $"{kind.ToString().ToLowerInvariant()} {name}";
}

/// <summary>A place in the code.</summary>
/// <param name="Method">The method.</param>
/// <param name="Instruction">The instruction there.</param>
/// <param name="IsBefore">True for the place before it, false for the one behind it.</param>
internal sealed record ProbePlace(MethodDefinition Method, Instruction Instruction, bool IsBefore);
