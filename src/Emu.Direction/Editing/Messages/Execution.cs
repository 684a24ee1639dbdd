namespace Emu.Direction.Editing.Messages;

/// <summary>The body of the answer to <c>threads</c>.</summary>
/// <param name="Threads">The threads.</param>
internal sealed record ThreadsBody(IReadOnlyList<ThreadInfo> Threads);

/// <summary>A thread: the service.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Name">Its name.</param>
internal sealed record ThreadInfo(int Id, string Name);

/// <summary>The body of the answer to <c>continue</c>.</summary>
/// <param name="AllThreadsContinued">True: a service has one.</param>
internal sealed record ContinueBody(bool AllThreadsContinued);

/// <summary>The body of the answer to <c>stackTrace</c>.</summary>
/// <param name="StackFrames">The frames, the innermost first.</param>
/// <param name="TotalFrames">The number of frames.</param>
internal sealed record StackTraceBody(IReadOnlyList<StackFrame> StackFrames, int TotalFrames);

/// <summary>A frame of the stack.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Name">The method.</param>
/// <param name="Source">The file; null if it is not known.</param>
/// <param name="Line">The line; 0 where there is no file.</param>
/// <param name="Column">The column; 0 where there is no file.</param>
internal sealed record StackFrame(int Id, string Name, Source? Source, int Line, int Column);
