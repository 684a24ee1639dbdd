using Emu.Protocols;

namespace Emu.Services;

/// <summary>The meaning of an opcode of the binary protocol.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="ExtrasLength">The bytes of its extras.</param>
/// <param name="Key">Whether it has a key.</param>
/// <param name="HasValue">True if it may have a value.</param>
/// <param name="IsQuiet">True if it says only what is not expected.</param>
/// <param name="ShowsKey">True if its answer has the key.</param>
internal readonly record struct BinaryCommand(
    Operation Operation, byte ExtrasLength = 0, Presence Key = Presence.Required, bool HasValue = false,
    bool IsQuiet = false, bool ShowsKey = false)
{
    /// <summary>True if a request has the lengths that the command wants.</summary>
    /// <param name="request">The request, which has no less body than extras and key together.</param>
    public bool Fits(MemcachedMessage request)
    {
        var hasExtras = request.ExtrasLength != 0;
        var hasKey = request.KeyLength != 0;
        var hasValue = request.BodyLength != (uint)request.ExtrasLength + request.KeyLength;
        // A flush may have a time.
        return (request.ExtrasLength == ExtrasLength || (Operation == Operation.Flush && !hasExtras))
            && (hasKey ? Key != Presence.Forbidden : Key != Presence.Required)
            && (HasValue || !hasValue);
    }
}

/// <summary>The commands of the binary protocol by their opcodes.</summary>
internal sealed class BinaryCommands
{
    private const byte StoreExtras = 8, CountExtras = 20, TimeExtras = 4;

    private static readonly (MemcachedOpcode Opcode, MemcachedOpcode? Quiet, BinaryCommand Command)[] s_commands =
    [
        (MemcachedOpcode.Get, MemcachedOpcode.GetQuietly, new(Operation.Get)),
        (MemcachedOpcode.GetWithKey, MemcachedOpcode.GetWithKeyQuietly, new(Operation.Get, ShowsKey: true)),
        (MemcachedOpcode.Set, MemcachedOpcode.SetQuietly, new(Operation.Set, StoreExtras, HasValue: true)),
        (MemcachedOpcode.Add, MemcachedOpcode.AddQuietly, new(Operation.Add, StoreExtras, HasValue: true)),
        (MemcachedOpcode.Replace, MemcachedOpcode.ReplaceQuietly, new(Operation.Replace, StoreExtras, HasValue: true)),
        (MemcachedOpcode.Append, MemcachedOpcode.AppendQuietly, new(Operation.Append, HasValue: true)),
        (MemcachedOpcode.Prepend, MemcachedOpcode.PrependQuietly, new(Operation.Prepend, HasValue: true)),
        (MemcachedOpcode.Delete, MemcachedOpcode.DeleteQuietly, new(Operation.Delete)),
        (MemcachedOpcode.Increment, MemcachedOpcode.IncrementQuietly, new(Operation.Increment, CountExtras)),
        (MemcachedOpcode.Decrement, MemcachedOpcode.DecrementQuietly, new(Operation.Decrement, CountExtras)),
        (MemcachedOpcode.Touch, null, new(Operation.Touch, TimeExtras)),
        (MemcachedOpcode.GetAndTouch, MemcachedOpcode.GetAndTouchQuietly, new(Operation.GetAndTouch, TimeExtras)),
        (
            MemcachedOpcode.GetWithKeyAndTouch, MemcachedOpcode.GetWithKeyAndTouchQuietly,
            new(Operation.GetAndTouch, TimeExtras, ShowsKey: true)
        ),
        (MemcachedOpcode.Flush, MemcachedOpcode.FlushQuietly, new(Operation.Flush, TimeExtras, Presence.Forbidden)),
        (MemcachedOpcode.Quit, MemcachedOpcode.QuitQuietly, new(Operation.Quit, Key: Presence.Forbidden)),
        (MemcachedOpcode.Version, null, new(Operation.Version, Key: Presence.Forbidden)),
        (MemcachedOpcode.NoOperation, null, new(Operation.NoOperation, Key: Presence.Forbidden)),
        (MemcachedOpcode.Statistics, null, new(Operation.Statistics, Key: Presence.Optional, HasValue: true)),
    ];

    private readonly BinaryCommand[] _commands = new BinaryCommand[(int)MemcachedOpcode.GetWithKeyAndTouchQuietly + 1];

    public BinaryCommands()
    {
        foreach (var (opcode, quiet, command) in s_commands)
        {
            _commands[(int)opcode] = command;
            if (quiet is { } other) _commands[(int)other] = command with { IsQuiet = true };
        }
    }

    /// <summary>The command of an opcode; of an unknown one, that of no operation.</summary>
    public BinaryCommand Find(MemcachedOpcode opcode) =>
        (int)opcode < _commands.Length ? _commands[(int)opcode] : default;
}
