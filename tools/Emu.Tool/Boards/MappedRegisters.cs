using System.IO.MemoryMappedFiles;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A window of registers that is mapped into memory: a BAR of a card, or a UIO device.</summary>
internal sealed class MappedRegisters : IDisposable
{
    /// <summary>The bytes of a window.</summary>
    public const int Size = 0x1000;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    /// <summary>Maps a window.</summary>
    /// <param name="path">A resource of a card in sysfs, or a device.</param>
    /// <param name="offset">The window's start in it, a multiple of a page.</param>
    /// <exception cref="CommandException">It is not there, is too small, or may not be opened.</exception>
    public MappedRegisters(string path, long offset)
    {
        try
        {
            if (File.Exists(path) && new FileInfo(path) is { Length: > 0 } file && file.Length < offset + Size)
                throw CommandException.Failure(
                    $"{path} has {file.Length:x} bytes, and the window is at {offset:x}: "
                    + "is that the card of this project?");
            _file = MemoryMappedFile.CreateFromFile(
                new FileStream(path, FileMode.Open, FileAccess.ReadWrite), null, offset + Size,
                MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false);
            _view = _file.CreateViewAccessor(offset, Size);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw CommandException.Failure($"{path} cannot be mapped: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }

    /// <summary>Does accesses in their order.</summary>
    /// <returns>The words that were read, in order.</returns>
    public IReadOnlyList<uint> Do(IEnumerable<RegisterAccess> accesses)
    {
        var read = new List<uint>();
        foreach (var access in accesses)
        {
            if (access.Value is { } value) _view.Write(access.Address, value);
            else read.Add(_view.ReadUInt32(access.Address));
        }
        return read;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
