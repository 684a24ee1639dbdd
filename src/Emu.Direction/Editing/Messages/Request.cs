using System.Text.Json;

namespace Emu.Direction.Editing.Messages;

/// <summary>A request of the editor.</summary>
/// <param name="Seq">Its number.</param>
/// <param name="Type">The kind of message: <c>request</c>.</param>
/// <param name="Command">The command.</param>
/// <param name="Arguments">The arguments, by command.</param>
internal sealed record Request(int Seq, string Type, string? Command, JsonElement? Arguments);
